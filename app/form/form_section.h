// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/run_document.h"

#include <QList>
#include <QPair>
#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;

namespace binade::app {

class FormTable;

/// Where in a run description a field's value lies.
template <class T>
using Access = std::function<T&(wire::RunConfig&)>;

/// What a field says of itself. `rare` ones are hidden while they hold their default, unless all are asked for.
struct FieldWords {
  QString path;   ///< in the JSON file: `optimizer.learning_rate`
  QString label;  ///< with a mnemonic where it has one
  QString tip;    ///< a sentence: what it does, its unit, the meaning of special values
  QString unit = {};
  bool rare = false;
};

/// A titled group of rows, each bound to one value of a RunDocument: shows it, edits it as one undo step, and shows
/// what is wrong with it under the field. Created once; refresh() shows the document as it is.
class FormSection : public QWidget {
  Q_OBJECT

 public:
  FormSection(RunDocument* document, const QString& title, QWidget* parent = nullptr);

  using When = std::function<bool(const wire::RunConfig&)>;

  /// Rows, in tab order. `when` hides a row that means nothing now. Numbers take `1e-8`, `0.001`, `2^16`.
  /// `none` is what 0 is called where it stands for not at all.
  void number(const FieldWords& words, Access<double> value, const QString& none = {}, When when = {});
  void whole(const FieldWords& words, Access<std::int64_t> value, const QString& none = {}, When when = {});
  void text(const FieldWords& words, Access<std::string> value, const QString& placeholder = {}, When when = {});
  /// A path, with a button that asks for it: a folder, or a file of this filter.
  void path(const FieldWords& words, Access<std::string> value, const QString& filter, When when = {});
  /// One of these values, each with the text it is shown by.
  void choice(const FieldWords& words, Access<std::string> value, const QList<QPair<QString, QString>>& values,
              When when = {});
  void flag(const FieldWords& words, Access<bool> value, const QString& text, When when = {});
  void table(FormTable* table, When when = {});
  /// Anything else, over the whole width or behind a label.
  void widget(QWidget* any, const QString& label = {}, When when = {});

  /// Shows what the document holds, and which rows mean something now.
  void refresh();
  void setShowRare(bool show);
  /// The paths of all fields, for fieldNamedIn().
  QStringList paths() const;
  /// Shows a problem at a field; an empty text takes it away. False where the section has no such field.
  bool showProblem(const QString& path, const QString& text);
  void clearProblems();
  /// Puts the focus on a field that has it.
  bool focusField(const QString& path);

 private:
  struct Field {
    FieldWords words;
    QWidget* row;  ///< editor, unit and message: what the form layout holds
    QWidget* editor;
    QLabel* message;
    std::function<void(wire::RunConfig&)> show;
    std::function<bool(wire::RunConfig&)> is_default;
    When when;
    bool typed_wrong = false;  ///< what is typed cannot be read: stays until it can
  };

  Field& add(const FieldWords& words, QWidget* editor, When when, QWidget* beside = nullptr);
  QLineEdit* line(const FieldWords& words, const QString& none);
  void commit(const FieldWords& words, const std::function<void(wire::RunConfig&)>& change);
  void showRows();
  void say(Field& field, const QString& text);
  template <class T>
  void numeric(const FieldWords& words, const Access<T>& value, const QString& none, When when,
               std::function<std::optional<T>(const QString&)> parse, std::function<QString(T)> print);

  RunDocument* document_;
  QFormLayout* form_;
  std::vector<std::unique_ptr<Field>> fields_;
  std::vector<FormTable*> tables_;
  std::vector<std::pair<QWidget*, When>> others_;
  bool show_rare_ = false;
};

/// `0.001`, `1e-08`: the shortest text that is the same number.
QString plainNumber(double value);
/// Reads that, and `2^16`; nothing for anything else. 0 and negative numbers are numbers.
std::optional<double> parseNumber(const QString& text);

}  // namespace binade::app
