// SPDX-License-Identifier: Apache-2.0
#include "app/window/banner.h"

#include "views/icons.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QAccessible>
#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace binade::app {

namespace {
constexpr int kLine = 26;  // height of a button
}

Banner::Banner(QWidget* parent)
    : QFrame(parent),
      sign_(new QLabel),
      message_(new QLabel),
      hint_(new QLabel),
      offer_(new QPushButton),
      other_(new QPushButton),
      copy_(new QPushButton(tr("Copy details"))) {
  setObjectName(QStringLiteral("banner"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(16, 8, 8, 8);
  layout->setSpacing(12);
  auto* texts = new QVBoxLayout;
  texts->setSpacing(2);
  QFont bold = message_->font();
  bold.setWeight(QFont::DemiBold);
  message_->setFont(bold);
  views::setTone(hint_, views::Tone::kSecond);
  for (QLabel* label : {message_, hint_}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    texts->addWidget(label);
  }
  // Aligns the icon and the first line with the buttons.
  sign_->setFixedHeight(kLine);
  message_->setMinimumHeight(kLine);
  texts->addStretch();
  auto* close = new QToolButton;
  close->setIcon(views::icon(QStringLiteral("close")));
  close->setToolTip(tr("Close"));
  close->setAccessibleName(tr("Close this message"));
  connect(close, &QToolButton::clicked, this, &Banner::dismiss);
  layout->addWidget(sign_, 0, Qt::AlignTop);
  layout->addLayout(texts, 1);
  layout->addWidget(offer_, 0, Qt::AlignVCenter);
  layout->addWidget(other_, 0, Qt::AlignVCenter);
  layout->addWidget(copy_, 0, Qt::AlignTop);
  copy_->setFlat(true);
  copy_->hide();
  copy_->setToolTip(tr("Copies the message with the versions and the newest lines of the log, for a report"));
  connect(copy_, &QPushButton::clicked, this, &Banner::copyDetails);
  offer_->hide();
  other_->hide();
  offer_->setAccessibleName(tr("Suggested action"));
  other_->setAccessibleName(tr("Other action"));
  connectOffer(offer_, offered_);
  connectOffer(other_, other_offered_);
  layout->addWidget(close, 0, Qt::AlignTop);
  // The icon is painted in the colour of the theme.
  connect(views::themeEvents(), &views::ThemeEvents::themeChanged, this, [this] { showSign(sign_name_); });
  hide();
}

void Banner::connectOffer(QPushButton* button, const std::function<void()>& what) {
  connect(button, &QPushButton::clicked, this, [this, &what] {
    const auto chosen = what;  // copied: the action may show another problem
    dismiss();
    if (chosen) chosen();
  });
}

void Banner::showProblem(const Problem& problem) {
  problem_ = true;
  shown_ = problem;
  setAccessibleName(tr("Problem"));
  showSign(QStringLiteral("warning"));
  showText(problem.message, problem.hint);
}

bool Banner::showNotice(const QString& message, const QString& hint) {
  if (problem_ && isVisible()) return false;
  problem_ = false;
  setAccessibleName(tr("Notice"));
  showSign(QStringLiteral("info"));
  showText(message, hint);
  return true;
}

void Banner::showNoticeOf(const QDockWidget* dock, const QString& message, const QString& hint) {
  if (!dock->visibleRegion().isEmpty() || !showNotice(message, hint)) return;
  disconnect(until_shown_);
  until_shown_ = connect(dock, &QDockWidget::visibilityChanged, this, [this, message](bool visible) {
    if (visible && !problem_ && isVisible() && this->message() == message) dismiss();
  });
}

void Banner::dismissPlainProblem() {
  if (problem_ && isVisible() && offer_->isHidden() && other_->isHidden()) dismiss();
}

void Banner::showSign(const QString& name) {
  sign_name_ = name;
  sign_->setPixmap(views::icon(name).pixmap(QSize(16, 16), devicePixelRatioF()));
}

void Banner::turnOver(const Problem& was, const QString& message, const QString& hint) {
  if (!problem_ || isHidden() || message_->text() != was.message) return;
  problem_ = false;
  showNotice(message, hint);
}

void Banner::showText(const QString& message, const QString& hint) {
  message_->setText(message);
  hint_->setText(hint);
  hint_->setVisible(!hint.isEmpty());
  offer_->hide();
  other_->hide();
  copy_->setText(tr("Copy details"));
  copy_->setVisible(problem_);
  setAccessibleDescription(message + u' ' + hint);
  views::setSurface(this, problem_ ? views::Surface::kProblem : views::Surface::kNotice);
  show();
  Q_EMIT opened();
  fitHeight();
  QAccessibleEvent event(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&event);
}

void Banner::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fitHeight();
}

// A tool bar sizes its contents for the height that the text needs in a narrow column.
void Banner::fitHeight() {
  const int high = layout()->heightForWidth(width());
  if (high > 0 && high != height()) setFixedHeight(high);
}

void Banner::offer(const QString& text, std::function<void()> what) {
  offer_->setText(text);
  offer_->setAccessibleName(text);
  offered_ = std::move(what);
  offer_->show();
}

void Banner::offerOther(const QString& text, std::function<void()> what) {
  other_->setText(text);
  other_->setAccessibleName(text);
  other_offered_ = std::move(what);
  other_->show();
}

void Banner::copyDetails() {
  QGuiApplication::clipboard()->setText(details_ ? details_(shown_) : shown_.message + u'\n' + shown_.hint);
  copy_->setText(tr("Copied"));
}

void Banner::dismiss() {
  hide();
  Q_EMIT closed();
}

QString Banner::message() const {
  return message_->text();
}
QString Banner::hint() const {
  return hint_->text();
}

}  // namespace binade::app
