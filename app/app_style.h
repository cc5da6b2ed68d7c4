// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace binade::app {

/// The style sheet of the explorer's own parts (start page, banner, dock titles), to follow that of the views.
/// In the colours of the theme in force.
QString appStyleSheet();

}  // namespace binade::app
