// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/problem.h"
#include "engine/wire/run_config.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <optional>

namespace binade::app {

/// What is wrong with a run description, and at which of its fields: `optimizer.learning_rate`.
struct FieldProblem {
  QString field;
  Problem problem;
};

/// The description of the next run while a person edits it. Every edit is one undo step; edits of one field one after
/// the other are one. The same value is what `binade-engine train` reads from a JSON file. Knows no engine.
class RunDocument : public QObject {
  Q_OBJECT

 public:
  explicit RunDocument(QObject* parent = nullptr);

  const wire::RunConfig& config() const { return config_; }
  /// It as it is sent, saved and checked: without what belongs to another kind of data or optimizer, which the form
  /// keeps for whoever goes back to that kind.
  wire::RunConfig complete() const;
  QUndoStack* undoStack() { return &undo_; }
  /// The file it was opened from or last saved to; empty for none.
  QString file() const { return file_; }
  /// Whether it differs from what was adopted, opened or saved last.
  bool isModified() const { return !(config_ == clean_); }
  /// The first thing that the engine would refuse before it looks at model and data; nothing where all is well.
  std::optional<FieldProblem> problem() const;

  /// Starts anew: no undo steps, not modified.
  void adopt(const wire::RunConfig& config);
  /// One undo step; nothing where `after` is what there is. `text` names it.
  void edit(const QString& text, const wire::RunConfig& after, const QString& field = {});

  /// Writes the description as JSON, whole or not at all. Returns what went wrong.
  std::optional<Problem> save(const QString& file);
  /// It is that of this file, as it is now.
  void setFile(const QString& file);

 Q_SIGNALS:
  void changed();

 private:
  friend class RunCommand;
  void apply(const wire::RunConfig& config);

  wire::RunConfig config_;
  wire::RunConfig clean_;
  QUndoStack undo_;
  QString file_;
};

/// A run description read from a file; relative paths are resolved against its folder.
struct RunDescription {
  std::optional<wire::RunConfig> config;
  Problem problem;  ///< where there is none
};
RunDescription readRunDescription(const QString& file);

/// The field that a message of the engine speaks of: the longest of `fields` that stands in it as a word, those of one
/// word only where the message begins with it; empty for none.
QString fieldNamedIn(const QString& message, const QStringList& fields);

}  // namespace binade::app
