// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/html.h"

#include <string>
#include <vector>

namespace binade::report {

/// A part of the page under a heading of its own, listed in the table of contents.
struct Section {
  std::string id;  ///< anchor
  std::string title;
  Html body;
};

/// The whole page: valid as HTML 5 and well-formed as XML, without scripts, and without anything loaded from elsewhere.
/// `head` precedes the table of contents.
std::string page_of(const std::string& title, const Html& head, const std::vector<Section>& sections);

}  // namespace binade::report
