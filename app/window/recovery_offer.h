// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/edit_recovery.h"

#include <QObject>

namespace binade::app {

class BannerQuestions;
class Session;

/// Offers the unsaved edits of crashed programs, at the start of this one: each can be recovered or discarded. Edits
/// that get no answer are offered again at the next start.
class RecoveryOffer : public QObject {
  Q_OBJECT

 public:
  /// All three must outlive the object.
  RecoveryOffer(Session* session, EditRecovery* recovery, BannerQuestions* questions, QObject* parent = nullptr);

  /// Looks for edits once, and asks.
  void begin();

 private:
  void ask(const EditRecovery::Abandoned& found);

  Session* session_;
  EditRecovery* recovery_;
  BannerQuestions* questions_;
};

}  // namespace binade::app
