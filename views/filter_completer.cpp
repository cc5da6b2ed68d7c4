// SPDX-License-Identifier: Apache-2.0
#include "views/filter_completer.h"

#include "views/filter_line.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QStringListModel>

#include <utility>

namespace binade::views {

FilterCompleter::FilterCompleter(FilterLine* line, Words words)
    : QObject(line),
      line_(line),
      words_(std::move(words)),
      model_(new QStringListModel(this)),
      completer_(new QCompleter(model_, this)) {
  // Not QLineEdit::setCompleter(), which completes the whole line.
  completer_->setWidget(line);
  completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
  connect(line, &QLineEdit::textEdited, this, &FilterCompleter::offer);
  connect(line, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (text.isEmpty() && list_ != nullptr) list_->hide();
  });
  connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &FilterCompleter::take);
}

void FilterCompleter::offer() {
  const QStringList words = words_(line_->text(), line_->cursorPosition());
  if (list_ == nullptr && words.isEmpty()) return;
  if (list_ == nullptr) {
    // Made with the first word: windows open without it.
    list_ = completer_->popup();
    list_->setAccessibleName(tr("Completions"));
    line_->setCompletions(list_);
  }
  model_->setStringList(words);
  if (words.isEmpty()) return list_->hide();
  completer_->complete();
}

void FilterCompleter::take(const QString& word) {
  const QString text = line_->text();
  const qsizetype cursor = line_->cursorPosition();
  qsizetype from = cursor;
  while (from > 0 && !text[from - 1].isSpace()) --from;
  // A key waits for its value; any other word is complete.
  const bool key = word.endsWith(u':');
  const QString taken = key ? word : word + u' ';
  const QString rest = text.mid(cursor);
  line_->setText(text.left(from) + taken + (key ? rest : rest.trimmed()));
  line_->setCursorPosition(static_cast<int>(from + taken.size()));
  if (key) offer();
}

}  // namespace binade::views
