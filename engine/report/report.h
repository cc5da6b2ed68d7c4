// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/wire/rank_totals.h"

#include <cstdint>
#include <functional>
#include <string>

namespace binade::report {

/// A report about a run, and what it is based on.
struct Report {
  std::string html;  ///< the page, UTF-8
  std::int64_t steps = 0;
  std::size_t events = 0;
  wire::RankTotals ranks;  ///< without ranks for a run of one process
  record::Damage damage;   ///< what the report leaves out because it could not be read
  bool complete = true;    ///< false: reading was ended early, and `html` is empty
};

/// Reads a run file and describes the run in one self-contained page. The file may still be written to; the report
/// covers what it has now. `go_on` is asked now and then, with the number of steps read; when it returns false, reading
/// ends. May be called on any thread. Throws Error{kBadFile} if nothing can be read.
Report make_report(const std::string& run_file, const std::function<bool(std::int64_t steps)>& go_on = {});

}  // namespace binade::report
