// SPDX-License-Identifier: Apache-2.0
#include "app/window/app_style.h"

#include "views/theme.h"

namespace binade::app {

QString appStyleSheet() {
  const views::Colors& c = views::colors();
  return QStringLiteral(R"(
#startPage, #startPagePanel { background: %1; }
QFrame#door, QFrame#firstDoor { background: %1; border: 1px solid %2; border-radius: 4px; }
QFrame#firstDoor { border: 2px solid %3; }
QFrame#dropHint { border: 1px dashed %4; }
QTableView#recentFiles, QTableView[framed="true"] { border: 1px solid %2; }
#setupPage, #setupPanel, #dockPage { background: %1; }
#barLine { color: %2; }
#setupFoot { background: %7; border-top: 1px solid %2; }
QFrame#banner { background: %5; border: none; border-bottom: 1px solid %6; }
QFrame#banner[notice="true"] { background: %7; border-bottom-color: %2; }
QFrame#banner QLabel { background: transparent; }
QPushButton::menu-indicator { image: none; }
QWidget#foot { background: %7; border-top: 1px solid %2; }
QWidget#dockTitle { background: %7; border-bottom: 1px solid %2; }
)")
      .arg(c.panel.name(), c.line.name(), c.text.name(), c.thirdText.name(), c.crimsonGround.name(), c.crimson.name(),
           c.bar.name());
}

}  // namespace binade::app
