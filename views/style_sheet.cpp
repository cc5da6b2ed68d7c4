// SPDX-License-Identifier: Apache-2.0
#include "views/style_sheet.h"

namespace binade::views {

namespace {

const char kSheet[] = R"(
QMainWindow { background: @window; }
QMainWindow::separator { background: @window; width: 4px; height: 4px; }
QMenuBar { background: @bar; padding: 0 4px; }
QMenuBar::item { background: transparent; padding: 4px 8px; }
QMenuBar::item:selected { background: @selectedRow; }
QMenu { background: @panel; border: 1px solid @line; padding: 4px 0; }
QMenu::item { padding: 5px 24px 5px 12px; }
QMenu::icon { padding-left: 8px; }
QMenu::item:selected { background: @selectedRow; }
QMenu::item:disabled { color: @thirdText; }
QMenu::separator { height: 1px; background: @softLine; margin: 4px 0; }
QToolBar { background: @bar; border: none; border-bottom: 1px solid @line; padding: 9px 12px; spacing: 4px; }
QToolBar::separator { background: @line; width: 1px; margin: 4px 8px; }
QStatusBar { background: @bar; border-top: 1px solid @line; min-height: 23px; }
QStatusBar::item { border: none; }
QToolTip { background: @panel; color: @text; border: 1px solid @line; padding: 4px 6px; }

QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; font-weight: 600; }
QDockWidget::title { background: @bar; border: 1px solid @line; border-bottom: 1px solid @line; padding: 6px 12px; text-align: left; }
QDockWidget > QWidget { background: @panel; }
QTabBar { background: @bar; qproperty-drawBase: 0; }
QTabBar::tab { background: @bar; color: @secondText; border: none; border-top: 2px solid transparent; border-bottom: 1px solid @line; height: 25px; padding: 0 12px; }
QTabBar::tab:selected { background: @panel; color: @text; border-top-color: @text; border-bottom-color: @panel; border-right: 1px solid @line; }
QTabBar::tab:hover:!selected { color: @text; }
QTabWidget::pane { border: none; border-top: 1px solid @line; background: @panel; }

QPushButton { background: @panel; border: 1px solid @line; border-radius: 4px; padding: 0 12px; min-height: 26px; }
QPushButton:hover { border-color: @thirdText; }
QPushButton:pressed { background: @bar; }
QPushButton:focus { border-color: @indigo; }
QPushButton:disabled { background: @bar; color: @thirdText; }
QPushButton[primary="true"] { background: @text; color: @panel; border-color: @text; font-weight: 600; }
QPushButton[primary="true"]:disabled { background: @line; border-color: @line; color: @thirdText; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 4px; padding: 0 5px; min-height: 26px; min-width: 16px; }
QToolButton:hover { background: @selectedRow; }
QToolButton:pressed { background: @line; }
QToolButton:focus { border-color: @indigo; }
QToolButton:checked { background: @selectedRow; color: @indigo; }
QToolButton:disabled { color: @thirdText; }
QToolButton[segment="true"] { background: @panel; border: 1px solid @line; border-radius: 0; min-width: 72px; padding: 0 8px; font-weight: 500; }
QToolButton[segment="true"]:checked { background: @text; color: @panel; border-color: @text; font-weight: 600; }
QLineEdit > QToolButton { min-height: 0; min-width: 0; padding: 0; border: none; background: transparent; }
QToolButton::menu-indicator { image: none; }

QComboBox { background: @panel; border: 1px solid @line; border-radius: 4px; padding: 0 8px; min-height: 22px; }
QComboBox:hover { border-color: @thirdText; }
QComboBox:focus { border-color: @indigo; }
QComboBox:disabled { background: @bar; color: @thirdText; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/binade/icons/@chevron); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @line; selection-background-color: @selectedRow; selection-color: @text; outline: 0; }
QLineEdit { background: @panel; border: 1px solid @line; border-radius: 4px; padding: 0 6px; min-height: 22px; selection-background-color: @indigo; selection-color: @panel; }
QLineEdit:focus { border-color: @indigo; }
QLineEdit:disabled { background: @bar; color: @thirdText; }

QCheckBox { spacing: 6px; }
QCheckBox:disabled { color: @thirdText; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @thirdText; border-radius: 3px; background: @panel; }
QCheckBox::indicator:checked { background: @text; border-color: @text; image: url(:/binade/icons/@check); }
QCheckBox::indicator:focus { border-color: @indigo; }
QCheckBox::indicator:disabled { border-color: @line; background: @bar; }
QCheckBox::indicator:checked:disabled { background: @thirdText; border-color: @thirdText; }

QAbstractItemView { background: @panel; border: none; outline: 0; }
QHeaderView { background: @bar; }
QHeaderView::section { background: @bar; color: @secondText; border: none; border-right: 1px solid @line; border-bottom: 1px solid @line; padding: 0 8px; height: 23px; font-weight: 600; }
QHeaderView::section:last { border-right: none; }
QHeaderView::down-arrow, QHeaderView::up-arrow { width: 8px; height: 8px; }
QTableCornerButton::section { background: @bar; border: none; }
QPlainTextEdit, QTextBrowser { background: @panel; border: none; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @line; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: @thirdText; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QSlider { min-height: 24px; }
QSlider::groove:horizontal { height: 2px; background: @line; }
QSlider::sub-page:horizontal { height: 2px; background: @indigo; }
QSlider::handle:horizontal { width: 10px; height: 10px; margin: -5px 0; border: 1px solid @indigo; border-radius: 6px; background: @panel; }
QSlider::handle:horizontal:focus { background: @indigo; }
QSlider::sub-page:horizontal:disabled { background: @line; }
QSlider::handle:horizontal:disabled { border-color: @line; }
QProgressBar { background: @softLine; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: @indigo; border-radius: 2px; }

QWidget#reasonCard { background: @panel; border: 1px solid @line; border-radius: 4px; }
QFrame#verdictBox { background: @otherRow; border: none; border-left: 3px solid @text; }
QFrame#verdictBox[tone="crimson"] { background: @crimsonGround; border-left-color: @crimson; }
QLabel[tone="second"] { color: @secondText; }
QLabel[tone="third"] { color: @thirdText; }
QLabel[tone="crimson"] { color: @crimson; }
QLabel[badge="true"] { border: 1px solid @text; border-radius: 3px; padding: 0 5px; font-size: 10px; font-weight: 600; }
)";

}  // namespace

QString styleSheet(const Colors& c) {
  // A name that starts with another name must precede it.
  const std::pair<const char*, QString> values[] = {
      {"@selectedRow", c.selectedRow.name()},
      {"@secondText", c.secondText.name()},
      {"@thirdText", c.thirdText.name()},
      {"@softLine", c.softLine.name()},
      {"@check", c.theme == Theme::kDark ? QStringLiteral("check-dark.svg") : QStringLiteral("check-light.svg")},
      {"@chevron", c.theme == Theme::kDark ? QStringLiteral("combo-dark.svg") : QStringLiteral("combo-light.svg")},
      {"@crimsonGround", c.crimsonGround.name()},
      {"@crimson", c.crimson.name()},
      {"@otherRow", c.otherRow.name()},
      {"@window", c.window.name()},
      {"@indigo", c.indigo.name()},
      {"@panel", c.panel.name()},
      {"@line", c.line.name()},
      {"@text", c.text.name()},
      {"@bar", c.bar.name()},
  };
  QString sheet = QString::fromLatin1(kSheet);
  for (const auto& [key, value] : values) sheet.replace(QLatin1String(key), value);
  return sheet;
}

}  // namespace binade::views
