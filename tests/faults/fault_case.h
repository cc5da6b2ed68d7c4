// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <string>
#include <vector>

namespace binade::test {

/// What tests/data/faults says of one public report: which training shows it, and the right answer.
struct FaultCase {
  std::string name;
  std::string title;
  std::string thread;  ///< address of the report
  /// One word of reasonOf() (reading.h), or `none` of a run without a fault, `refused` of one that must not start.
  std::string reason;
  std::vector<std::string> reasons;  ///< it, and others that are as true of this case
  std::vector<std::string> sites;    ///< op calls of which one is to be named
  std::vector<std::string> shows;    ///< further ones that may stand beside it: where it comes to light
  std::vector<std::string> what;     ///< parameters or buffers of which one is to be named, where no op call is
  std::vector<std::string> also;     ///< reasons of later events of the run that are true too: `buffer`
  std::string then;                  ///< a later event that there has to be: `buffer:middle`
  /// What the answer must offer: `rules`, `scale`, `words` (and neither rules nor a scale), `any` of them; empty: none.
  std::string fix;
  std::vector<std::string> words;  ///< that the answer has to contain, whatever their case
  std::vector<std::string> never;  ///< that no event of the run, nor its end, may say
  wire::RunConfig run;
};

/// All of them, by name. Throws where a file is missing or not as it should be.
std::vector<FaultCase> faultCases();

}  // namespace binade::test
