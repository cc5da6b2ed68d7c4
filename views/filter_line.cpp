// SPDX-License-Identifier: Apache-2.0
#include "views/filter_line.h"

#include "views/icons.h"

#include <QAction>
#include <QKeyEvent>

namespace binade::views {

FilterLine::FilterLine(const QString& hint, QWidget* parent) : QLineEdit(parent) {
  setPlaceholderText(hint);
  setAccessibleName(tr("Filter"));
  setClearButtonEnabled(true);
  addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  quiet_.setSingleShot(true);
  quiet_.setInterval(120);
  connect(&quiet_, &QTimer::timeout, this, [this] { Q_EMIT filterChanged(text()); });
  connect(this, &QLineEdit::textChanged, &quiet_, qOverload<>(&QTimer::start));
}

void FilterLine::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const bool escape = event->key() == Qt::Key_Escape;
  if (completions_ != nullptr && completions_->isVisible() && (enter || escape)) return event->ignore();
  if (escape && !text().isEmpty()) {
    clear();
  } else if (!enter) {
    QLineEdit::keyPressEvent(event);
    return;
  }
  quiet_.stop();
  Q_EMIT filterChanged(text());
}

}  // namespace binade::views
