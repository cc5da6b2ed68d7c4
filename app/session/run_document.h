// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "engine/wire/run_config.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <optional>

namespace binade::app {

/// The editable description of the next run, with undo. Every edit is one undo step; successive edits of one field are
/// merged. The value is the same as in a JSON file for `binade-engine train`. Independent of the engine.
class RunDocument : public QObject {
  Q_OBJECT

 public:
  explicit RunDocument(QObject* parent = nullptr);

  const wire::RunConfig& config() const { return config_; }
  /// Returns the description as it is sent, saved and checked. Settings of other kinds of data and optimizer are
  /// removed; config() keeps them for a later change back.
  wire::RunConfig complete() const;
  QUndoStack* undoStack() { return &undo_; }
  /// Returns the file that was opened or last saved; empty if none.
  QString file() const { return file_; }
  /// Returns whether the description differs from the one last adopted, opened or saved, or setUnsaved() was called
  /// since.
  bool isModified() const { return unsaved_ || (undo_.count() > 0 && !(config_ == clean_)); }
  /// Returns the first problem that the engine would report before reading model and data, with its field, or nullopt.
  std::optional<Problem> problem() const;

  /// Replaces the description; clears the undo stack and the file. Not modified afterwards.
  void adopt(const wire::RunConfig& config);
  /// Pushes one undo step named `text`, unless `after` equals the current description. Successive edits with the same
  /// non-empty `field` are merged.
  void edit(const QString& text, const wire::RunConfig& after, const QString& field = {});

  /// Writes complete() as JSON, atomically. Returns a problem if that fails.
  std::optional<Problem> save(const QString& file);
  /// Declares the current description to be the contents of `file`.
  void setFile(const QString& file);
  /// Declares that no file holds the description any more: it is modified until it is saved.
  void setUnsaved();

 Q_SIGNALS:
  /// Description and file are the same now: it was opened or saved.
  void settled();
  /// The description or its file changed.
  void changed();

 private:
  friend class RunCommand;
  void apply(const wire::RunConfig& config);

  wire::RunConfig config_;
  wire::RunConfig clean_;
  bool unsaved_ = false;  ///< no file holds the description, whatever it is
  QUndoStack undo_;
  QString file_;
};

/// A run description read from a file, or the reason why it could not be read. Relative paths are resolved against the
/// file's folder.
struct RunDescription {
  std::optional<wire::RunConfig> config;
  Problem problem;  ///< set if config is nullopt
};
RunDescription readRunDescription(const QString& file);

}  // namespace binade::app
