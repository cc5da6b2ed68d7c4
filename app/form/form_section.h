// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/file_question.h"
#include "app/session/run_document.h"

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

/// Returns a reference to a field's value in a run description.
template <class T>
using Access = std::function<T&(wire::RunConfig&)>;

/// Texts of a field. A `rare` field is hidden while it has its default, unless all fields are shown.
struct FieldWords {
  QString path;   ///< path in the JSON file: `optimizer.learning_rate`
  QString label;  ///< may contain a mnemonic
  QString tip;    ///< one sentence: effect, unit, meaning of special values
  QString unit = {};
  bool rare = false;
};

/// A titled group of fields, each bound to one value of a RunDocument. A field shows the value, edits it as one undo
/// step and shows problems below it. Created once; refresh() reads the document again.
class FormSection : public QWidget {
  Q_OBJECT

 public:
  FormSection(RunDocument* document, const QString& title, QWidget* parent = nullptr);

  using When = std::function<bool(const wire::RunConfig&)>;

  /// Add a field, in tab order. `when` hides a field that has no effect. Numbers may be typed as `1e-8`, `0.001` or
  /// `2^16`. `none` is the text shown for 0 where 0 means off.
  void number(const FieldWords& words, Access<double> value, const QString& none = {}, When when = {});
  void whole(const FieldWords& words, Access<std::int64_t> value, const QString& none = {}, When when = {});
  void text(const FieldWords& words, Access<std::string> value, const QString& placeholder = {}, When when = {});
  /// Adds a path with a button that opens a file dialog for `filter`, or a folder dialog if `filter` is empty.
  void path(const FieldWords& words, Access<std::string> value, const QString& filter, When when = {});
  /// Sets how path() and the tables ask for files: on this computer, unless it is set.
  void setAskFiles(const AskFiles& ask);
  /// Adds a choice of values, each with the text shown for it.
  void choice(const FieldWords& words, Access<std::string> value, const QList<QPair<QString, QString>>& values,
              When when = {});
  void flag(const FieldWords& words, Access<bool> value, const QString& text, When when = {});
  void table(FormTable* table, When when = {});
  /// Adds any other widget over the whole width, or after a label.
  void widget(QWidget* any, const QString& label = {}, When when = {});

  /// Shows the document's values, and only the fields that have an effect.
  void refresh();
  /// Shows rare fields, or hides those that have their default.
  void setShowRare(bool show);
  /// Shows a problem at a field; an empty text removes it. Returns false if the section has no such field.
  bool showProblem(const QString& path, const QString& text);
  void clearProblems();
  /// Moves the focus to a field. Returns false if the section has no such field.
  bool focusField(const QString& path);

 private:
  struct Field {
    FieldWords words;
    QWidget* row;  ///< the form layout's row: editor, unit and message
    QWidget* editor;
    QLabel* message;
    std::function<void(wire::RunConfig&)> show;
    std::function<bool(wire::RunConfig&)> is_default;
    When when;
    bool typed_wrong = false;  ///< the typed text cannot be parsed; its message stays until it can
  };

  Field& add(const FieldWords& words, QWidget* editor, When when, QWidget* beside = nullptr);
  QLineEdit* line(const FieldWords& words, const QString& none);
  void commit(const FieldWords& words, const std::function<void(wire::RunConfig&)>& change);
  void showRows();
  void setMessage(Field& field, const QString& text);
  template <class T>
  void numeric(const FieldWords& words, const Access<T>& value, const QString& none, When when,
               std::function<std::optional<T>(const QString&)> parse, std::function<QString(T)> print);

  RunDocument* document_;
  AskFiles ask_files_ = askHere;
  QFormLayout* form_;
  std::vector<std::unique_ptr<Field>> fields_;
  std::vector<FormTable*> tables_;
  std::vector<std::pair<QWidget*, When>> others_;
  bool show_rare_ = false;
};

/// Parses a number as views::typedNumber() does, or a power of two such as `2^16`. 0 and negative numbers are accepted.
/// Returns nullopt for anything else.
std::optional<double> parseNumber(const QString& text);

}  // namespace binade::app
