// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_model.h"
#include "views/chain_view.h"

#include <QString>

#include <string>
#include <vector>

namespace binade::app {

/// The way from the first causes to where they ended, as lines of a ChainView; ids are sites. What a replay proved,
/// else the tensors in the order in which they were met: then the first one is where to look, not proved. The last
/// line is what the scaler did.
std::vector<views::ChainRow> chainOf(const RunModel& run, const wire::Event& event);

/// What the event tells of a site's tensors in one direction: the one that is meant (Root::what), where it went wrong,
/// else the one that is worst off; null where it tells nothing.
const wire::EventTensor* tensorAt(const RunModel& run, const wire::Event& event, int site, wire::Direction direction,
                                  const std::string& what = {});

}  // namespace binade::app
