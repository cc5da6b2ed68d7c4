// SPDX-License-Identifier: Apache-2.0
#include "app/window/arrangement_hint.h"

#include "app/model/translate.h"
#include "views/icons.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace binade::app {

namespace {

constexpr auto kWanted = "hints/wanted";
constexpr int kCloseSide = 22;   // px
constexpr int kHintMargin = 12;  // from the window's edges

/// Where the docks end: above the time line and other bars at the bottom.
int bottomOfDocks(const QStatusBar* foot) {
  int bottom = foot->geometry().top();
  const auto* window = qobject_cast<const QMainWindow*>(foot->window());
  if (window == nullptr) return bottom;
  for (auto* bar : window->findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    if (bar->isVisible() && window->toolBarArea(bar) == Qt::BottomToolBarArea)
      bottom = std::min(bottom, bar->geometry().top());
  }
  return bottom;
}

/// Between the menus and the title in their row; empty without menus.
QRect roomBesideMenus(const QStatusBar* foot) {
  const auto* window = qobject_cast<const QMainWindow*>(foot->window());
  const QMenuBar* menus = window == nullptr ? nullptr : window->menuBar();
  if (menus == nullptr || !menus->isVisible() || menus->actions().isEmpty()) return {};
  const int left = menus->actionGeometry(menus->actions().constLast()).right() + 2 * kHintMargin;
  const QWidget* title = menus->cornerWidget();
  const int right = (title == nullptr ? menus->width() : title->x()) - kHintMargin;
  return {left, 0, std::max(0, right - left), menus->height()};
}

QString closedKey(Arrangement which) {
  return QStringLiteral("hints/closed/") + arrangementName(which);
}

}  // namespace

QString hintText(Arrangement which) {
  switch (which) {
    case Arrangement::kExplore:
      return tr("Click an op call to see its gradients. F2 changes its format while the run goes on.");
    case Arrangement::kTune:
      return tr("Change a format, then press Ctrl+T: the edit is tried beside the run before you keep it.");
    case Arrangement::kDiagnose:
      return tr("Choose an event on the left. Its page names the cause, the path to the loss, and a fix.");
    case Arrangement::kProfile:
      return tr("Op calls are ranked by their time. A dash means: not measured, with the reason beside it.");
    case Arrangement::kLearn:
      return tr("Predict first, then run. The figure on the right follows the lesson.");
  }
  return {};
}

bool hintsWanted(const QSettings& settings) {
  return settings.value(QLatin1String(kWanted), true).toBool();
}

void setHintsWanted(QSettings& settings, bool wanted) {
  settings.setValue(QLatin1String(kWanted), wanted);
}

ArrangementHint::ArrangementHint(QSettings* settings, QStatusBar* foot)
    : QFrame(foot->window()), settings_(settings), foot_(foot), text_(new QLabel), close_(new QToolButton) {
  setObjectName(QStringLiteral("arrangementHint"));
  setAccessibleName(tr("Hint"));
  views::setPanelGround(this);
  views::setSurface(this, views::Surface::kCard);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 2, 2, 2);
  auto* sign = new QLabel;
  views::showIcon(sign, QStringLiteral("info"), 16);
  layout->addWidget(sign);
  text_->setTextFormat(Qt::PlainText);
  layout->addWidget(text_, 1);
  close_->setIcon(views::icon(QStringLiteral("close")));
  close_->setToolTip(tr("Do not show this hint again"));
  close_->setAccessibleName(tr("Close this hint"));
  connect(close_, &QToolButton::clicked, this, &ArrangementHint::dismiss);
  close_->setFixedSize(kCloseSide, kCloseSide);  // the row of the menus is low
  layout->addWidget(close_);
  foot_->window()->installEventFilter(this);
  hide();
}

void ArrangementHint::showFor(Arrangement which) {
  which_ = which;
  text_->setText(hintText(which));
  setAccessibleDescription(text_->text());
  const bool closed = settings_->value(closedKey(which)).toBool() || !hintsWanted(*settings_);
  setVisible(!closed);
  if (!closed) place();
}

void ArrangementHint::forget() {
  settings_->remove(QStringLiteral("hints"));
}

QString ArrangementHint::text() const {
  return text_->text();
}

void ArrangementHint::dismiss() {
  settings_->setValue(closedKey(which_), true);
  hide();
}

// Beside the menus, where it covers nothing. In a window without room there, over the docks: a line of its own in the
// layout would move them when it is closed. On the left, since the buttons of a panel such as Try stand at the lower
// right.
void ArrangementHint::place() {
  const QWidget* window = foot_->window();
  if (const QRect room = roomBesideMenus(foot_); room.width() >= sizeHint().width()) {
    setGeometry({room.topLeft(), sizeHint()});
    return raise();
  }
  const QSize size = sizeHint().boundedTo({window->width() - 2 * kHintMargin, sizeHint().height()});
  setGeometry({QPoint(kHintMargin, std::max(0, bottomOfDocks(foot_) - size.height() - kHintMargin)), size});
  raise();
}

bool ArrangementHint::eventFilter(QObject* watched, QEvent* event) {
  const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
  if (watched == foot_->window() && moved && isVisible()) place();
  return QFrame::eventFilter(watched, event);
}

}  // namespace binade::app
