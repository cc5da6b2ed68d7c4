// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>
#include <QString>

#include <cstdint>
#include <optional>

class QUndoCommand;
class QUndoStack;

namespace binade::app {

class RunModel;

/// The edits of an undo stack, each with the step of the run at which it was made.
class EditList : public QObject {
  Q_OBJECT

 public:
  struct Edit {
    QString text;                      ///< what was done, as Undo names it
    std::optional<std::int64_t> step;  ///< newest step of the run then; nullopt: no step was recorded yet
    bool undone = false;
  };

  /// Both must outlive the list.
  EditList(QUndoStack* stack, const RunModel* run, QObject* parent = nullptr);

  /// Oldest first.
  QList<Edit> edits() const;
  /// The number of edits that are in force: those before it are, those from it on are undone.
  int inForce() const;
  /// Undoes or makes edits again until so many are in force.
  void goTo(int count);

 Q_SIGNALS:
  /// Edits were made, undone, made again or forgotten.
  void changed();

 private:
  struct Made {
    const QUndoCommand* command;  ///< only compared
    std::optional<std::int64_t> step;
  };
  void update();

  QUndoStack* stack_;
  const RunModel* run_;
  QList<Made> made_;
};

}  // namespace binade::app
