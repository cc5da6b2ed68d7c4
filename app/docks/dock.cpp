// SPDX-License-Identifier: Apache-2.0
#include "app/docks/dock.h"

#include "views/icons.h"
#include "views/style/looks.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <utility>

namespace binade::app {

Dock::Dock(const QString& id, const QString& title, QWidget* parent)
    : QDockWidget(title, parent), title_bar_(nullptr), no_title_bar_(new QWidget(this)) {
  setObjectName(id);
  views::setPanelGround(this);
  setAccessibleName(title);
  title_bar_ = makeTitleBar();
  no_title_bar_->setFixedHeight(0);
  no_title_bar_->hide();
  setTitleBarWidget(title_bar_);
}

QWidget* Dock::makeTitleBar() {
  auto* bar = new QWidget(this);
  views::setSurface(bar, views::Surface::kTitle);
  bar->setFixedHeight(28);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(12, 0, 4, 0);
  layout->setSpacing(2);
  title_ = new QLabel(windowTitle(), bar);
  QFont bold = title_->font();
  bold.setWeight(QFont::DemiBold);
  title_->setFont(bold);
  layout->addWidget(title_);
  layout->addStretch();
  const auto button = [&](const QString& icon, const QString& text, auto&& does) {
    auto* made = new QToolButton(bar);
    made->setIcon(views::icon(icon));
    made->setIconSize({14, 14});
    made->setFixedSize(24, 24);
    made->setToolTip(text);
    made->setAccessibleName(tr("%1: %2").arg(windowTitle(), text));
    made->setFocusPolicy(Qt::TabFocus);
    connect(made, &QToolButton::clicked, this, does);
    layout->addWidget(made);
  };
  button(QStringLiteral("float"), tr("Float or dock again"), [this] { setFloating(!isFloating()); });
  button(QStringLiteral("close"), tr("Close (reopen from the View menu)"), [this] { close(); });
  return bar;
}

void Dock::setTabbed(bool tabbed) {
  QWidget* wanted = (tabbed || bare_) && !isFloating() ? no_title_bar_ : title_bar_;
  if (titleBarWidget() == wanted) return;
  titleBarWidget()->hide();
  setTitleBarWidget(wanted);
  wanted->show();
}

void Dock::setBare() {
  bare_ = true;
  setTabbed(false);
}

void Dock::setCovered(const QString& why) {
  if (why.isEmpty() != isCovered()) {
    if (isCovered()) cover_->setText(why);
    return;
  }
  if (why.isEmpty()) {
    setWidget(content_);
    delete std::exchange(cover_, nullptr);
    return;
  }
  content_ = widget();
  cover_ = new QLabel(why);
  cover_->setAlignment(Qt::AlignCenter);
  cover_->setWordWrap(true);
  cover_->setMargin(24);
  cover_->setMinimumSize(content_->minimumSizeHint());
  views::setTone(cover_, views::Tone::kSecond);
  setWidget(cover_);
}

void Dock::setEmptyContent() {
  auto* empty = new QWidget;
  empty->setMinimumSize(1, 1);
  setWidget(empty);
}

void Dock::replaceContent(QWidget* content) {
  delete widget();
  setWidget(content);
}

void Dock::setDockTitle(const QString& title) {
  setWindowTitle(title);
  setAccessibleName(title);
  title_->setText(title);
}

}  // namespace binade::app
