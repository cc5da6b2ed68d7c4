// SPDX-License-Identifier: Apache-2.0
#include "views/elided_label.h"

#include "views/values/elide.h"
#include "views/values/numbers.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {
constexpr int kLeastCharacters = 6;
}  // namespace

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  auto* copy = new QAction(tr("Copy"), this);
  connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(this->text()); });
  addAction(copy);
  setContextMenuPolicy(Qt::ActionsContextMenu);
}

QRect ElidedLabel::textRect() const {
  return contentsRect().adjusted(margin(), margin(), -margin(), -margin());
}

bool ElidedLabel::isElided() const {
  return elidedRight(text(), font(), textRect().width()) != text();
}

QSize ElidedLabel::sizeHint() const {
  QSize size = QLabel::sizeHint();
  // QLabel rounds down if a font's advances are fractional, and superscripts have other widths: without this the last
  // letter could be elided.
  const int around = size.width() - fontMetrics().horizontalAdvance(text());
  size.rwidth() = std::max(size.width(), static_cast<int>(std::ceil(textWidth(font(), text()))) + around) + 1;
  return size;
}

QSize ElidedLabel::minimumSizeHint() const {
  const QSize whole = sizeHint();
  const int least = kLeastCharacters * fontMetrics().averageCharWidth() + width() - textRect().width();
  return {std::min(whole.width(), least), whole.height()};
}

bool ElidedLabel::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !isElided()) return QLabel::event(event);
  const QString whole = toolTip().isEmpty() || toolTip() == text() ? text() : text() + u'\n' + toolTip();
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), whole, this);
  return true;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(font());
  painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
  drawText(painter, textRect(), alignment(), text());
}

}  // namespace binade::views
