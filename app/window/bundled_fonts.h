// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::app {

/// Lets fontconfig find the fonts that a self-contained package brings, besides those of the computer: a computer
/// without a desktop may have none. Must be called before the QApplication is made. Does nothing if the package has no
/// fonts or FONTCONFIG_FILE is set.
void useBundledFonts();

}  // namespace binade::app
