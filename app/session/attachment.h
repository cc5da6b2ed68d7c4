// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/engine_command.h"
#include "engine/wire/messages.h"
#include "engine/wire/notifications.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <optional>
#include <vector>

namespace binade::app {

class Session;

/// The session's connection to a training that was started without this window. It ends by letting go, and the training
/// goes on. A connection that was cut is made again, at growing intervals, until it is there or the training is gone;
/// what the window shows and the edits are kept meanwhile. One window edits a training, any number watch it.
class Attachment : public QObject {
  Q_OBJECT

 public:
  enum class State {
    kNone,       ///< the engine is the window's own
    kConnected,  ///< messages arrive
    kLost,       ///< the connection was cut; another attempt follows
  };

  /// `session` owns this object.
  explicit Attachment(Session* session);

  State state() const { return state_; }
  bool isOn() const { return state_ != State::kNone; }
  /// Whether this window edits the training.
  bool isEditor() const { return state_ == State::kConnected && peers_.editor != 0 && peers_.editor == peers_.you; }
  /// The name of the other window that edits; empty: this one edits, or none does.
  QString otherEditor() const;
  /// How many other windows are attached.
  int others() const;
  /// The training. Only while isOn().
  const wire::AttachedRun& training() const { return training_; }
  /// Its name, with its computer if that is another one.
  QString trainingText() const;
  /// Why the training cannot be edited or controlled from here now; empty: it can.
  QString whyNoEdit() const;
  /// What of the training's past the engine did not keep; nullopt: not known yet.
  const std::optional<wire::CaughtUp>& caughtUp() const { return caught_up_; }

  /// Number of attempts since the connection was cut, and the seconds until the next; 0: it is being made.
  int attempts() const { return attempts_; }
  int secondsLeft() const;
  /// Why the connection was cut, or why the last attempt failed.
  const Problem& lostBy() const { return lost_by_; }
  /// Sets the time before the first attempt, for tests; each further attempt waits twice as long as the one before, at
  /// most 32 times.
  void setFirstPause(std::chrono::milliseconds pause) { first_pause_ = pause; }

  /// Whether edits that were made while the connection was cut wait for applyKeptEdits() or dropKeptEdits().
  bool keepsEdits() const { return keeps_edits_; }

 public Q_SLOTS:
  /// Makes this window the editor, in place of another one.
  void takeEditing();
  /// Lets another window edit.
  void releaseEditing();
  /// Tries at once to connect again.
  void reconnect();
  /// Brings the kept edits into force. A watcher becomes the editor for this.
  void applyKeptEdits();
  /// Takes the training's policy in place of the kept edits.
  void dropKeptEdits();

 Q_SIGNALS:
  /// State, role, other windows or attempts have changed.
  void changed();
  /// The connection is there again, and edits were kept that the training does not have.
  void editsKept();
  /// The training went another way while the connection was cut, so that what was shown is replaced.
  void replaced();

 private:
  friend class Session;

  /// An engine has answered; `attached` as in its welcome.
  void begin(const std::optional<wire::AttachedRun>& attached);
  /// Ends the connection, from this side.
  void end();
  /// The connection was cut, or an attempt has failed.
  void lose(const Problem& why);
  /// Takes a notification that is not for the run: all of this class, and all of a history that waits for its end.
  /// Returns false for others.
  bool take(const wire::RunNotification& notification);
  /// Whether the document takes a policy that came into force.
  bool follows(const wire::PolicyApplied& applied) const;
  void finishHistory(const wire::CaughtUp& caught_up);
  void update();
  void schedule();
  std::string nameOf(std::int64_t peer) const;

  Session* session_;
  State state_ = State::kNone;
  wire::AttachedRun training_;
  wire::Peers peers_;
  std::optional<wire::CaughtUp> caught_up_;
  bool was_editor_ = false;   ///< when the connection was cut
  bool catching_up_ = false;  ///< connected again, and the history is not complete
  bool keeps_edits_ = false;
  std::vector<wire::RunNotification> history_;  ///< while catching_up_
  int attempts_ = 0;
  Problem lost_by_;
  std::chrono::milliseconds first_pause_{1000};
  QTimer retry_;
};

}  // namespace binade::app
