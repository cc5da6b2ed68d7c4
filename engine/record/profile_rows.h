// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/damage.h"
#include "engine/record/sqlite.h"
#include "engine/wire/profile.h"

#include <map>
#include <string>
#include <tuple>

namespace binade::record {

/// Writes profiles as rows. What is said of a source or a site is written where it changes.
class ProfileWriter {
 public:
  explicit ProfileWriter(const Database& database);
  void write(std::int64_t seq, const wire::Profile& profile);

 private:
  void source(std::int64_t seq, const char* part, const wire::ProfileSource& source);

  Statement profile_, source_, bin_, site_, verdict_, kernel_;
  std::map<std::string, wire::ProfileSource> sources_;
  std::map<int, std::tuple<std::string, std::string, std::string>> verdicts_;
};

/// Reads what ProfileWriter wrote.
class ProfileReader {
 public:
  /// `damage` as RowReader takes it.
  explicit ProfileReader(const Database& database, Damage* damage = nullptr);
  /// Throws Error{kBadFile} where there is none at `seq`.
  wire::Profile read(std::int64_t seq);

 private:
  wire::ProfileSource source(std::int64_t seq, const char* part);
  void read_verdict(wire::SiteProfile& site, std::int64_t seq);

  const Database& database_;
  Damage* damage_;
  Statement profile_, source_, bin_, site_, verdict_, kernel_;
};

}  // namespace binade::record
