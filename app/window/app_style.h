// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace binade::app {

/// The style sheet of the explorer's own parts (start page, banner, dock titles), in the current theme's colours.
/// Append it to the style sheet of the views.
QString appStyleSheet();

}  // namespace binade::app
