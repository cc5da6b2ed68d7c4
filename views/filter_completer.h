// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>

class QAbstractItemView;
class QCompleter;
class QStringListModel;

namespace binade::views {

class FilterLine;

/// Completes the word at the cursor of a filter line: a list below the line while it is typed, Return or a click takes
/// an entry, Escape closes the list. Owned by the line.
class FilterCompleter : public QObject {
  Q_OBJECT

 public:
  /// Returns whole words that the word ending at `cursor` can become.
  using Words = std::function<QStringList(const QString& line, qsizetype cursor)>;

  FilterCompleter(FilterLine* line, Words words);

  QCompleter* completer() const { return completer_; }

 private:
  void offer();
  void take(const QString& word);

  FilterLine* line_;
  Words words_;
  QStringListModel* model_;
  QCompleter* completer_;
  QAbstractItemView* list_ = nullptr;  ///< owned by the completer; null before the first word
};

}  // namespace binade::views
