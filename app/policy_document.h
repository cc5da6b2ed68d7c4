// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/problem.h"
#include "engine/policy/policy.h"
#include "engine/policy/resolve.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <optional>
#include <vector>

namespace binade::app {

/// The policy being edited. Every edit is one undo step, whatever number of op calls it touches; every change, undo
/// and redo included, gets a new revision and is announced once. Undo restores rules; it does not undo training.
/// The document knows no engine: it outlives crashes, and the session sends what it announces.
class PolicyDocument : public QObject {
  Q_OBJECT

 public:
  explicit PolicyDocument(QObject* parent = nullptr);

  const policy::Policy& policy() const { return policy_; }
  /// Counts the changes since the document was made or reset; a policy in force carries the revision it was sent with.
  int revision() const { return revision_; }
  QUndoStack* undoStack() { return &undo_; }
  const QUndoStack* undoStack() const { return &undo_; }
  /// The file it was opened from or last saved to; empty for none.
  QString file() const { return file_; }
  /// Whether it differs from what was adopted, opened or saved last; other edits of the run share its undo stack.
  bool isModified() const { return !(policy_ == clean_); }
  /// Rules and op changes together: `cuda-amp · 2 changes`.
  int changeCount() const;
  /// The policy's name where it has one, else its base list.
  QString title() const;

  /// Starts anew from a policy that a run is already using under `revision`: no undo steps, clean, no announcement.
  /// Where `policy` is what the document holds, undo steps and file stay (a run started again after a crash).
  void adopt(const policy::Policy& policy, int revision);

  /// Each of these is one undo step; nothing happens where it would change nothing.
  void setFormat(const std::vector<policy::SiteKey>& sites, const formats::Format& format);
  void clearRules(const std::vector<policy::SiteKey>& sites);
  /// Adds these after all others, so that they win; `text` names the undo step.
  void addRules(const std::vector<policy::SiteRule>& rules, const QString& text);
  void setOpChange(const std::string& op, const policy::OpChange& change);
  void clearOpChange(const std::string& op);
  void setBase(policy::Base base);
  /// Everything at once (a file applied to the run); `text` names the undo step.
  void replace(const policy::Policy& policy, const QString& text);

  /// Reads a policy file and makes it the present policy, as one undo step. Returns what is wrong with the file.
  std::optional<Problem> open(const QString& file);
  /// Writes the policy, whole or not at all, and makes it the clean state.
  std::optional<Problem> save(const QString& file);

 Q_SIGNALS:
  /// The policy is different and should come into force.
  void changed(const binade::policy::Policy& policy, int revision);
  /// Name, file, clean state or number of changes may be different.
  void titleChanged();

 private:
  friend class PolicyCommand;
  void push(policy::Policy after, const QString& text);
  void apply(const policy::Policy& policy);

  policy::Policy policy_;
  policy::Policy clean_;
  int revision_ = 0;
  QUndoStack undo_;
  QString file_;
};

/// Reads a policy file without touching any document.
struct PolicyFile {
  std::optional<policy::Policy> policy;
  Problem problem;  ///< where there is no policy
};
PolicyFile readPolicyFile(const QString& file);

}  // namespace binade::app
