// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/site_figures.h"

#include <QString>

#include <functional>
#include <vector>

namespace binade::app {

/// Op calls as CSV for other programs: a line of headings, then a line for each. Numbers are in the C locale, times in
/// seconds, unknown figures empty. `seconds`: of an op call in one step; NaN: unknown.
QString callsAsCsv(const RunModel& run, const std::vector<int>& sites,
                   const std::function<const SiteFigures&(int site)>& figures,
                   const std::function<double(int site)>& seconds);

/// Rules that give op calls the formats that they have under the policy in force. Op calls without a format of their
/// own have none.
std::vector<policy::SiteRule> rulesOf(const RunModel& run, const std::vector<int>& sites);

}  // namespace binade::app
