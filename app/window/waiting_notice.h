// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

namespace binade::app {

class BannerQuestions;
class Session;

/// Says in the banner that the engine has not answered for some seconds, with *Cancel* and *Restart engine*. The notice
/// disappears with the answer.
class WaitingNotice : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive the object.
  WaitingNotice(Session* session, BannerQuestions* questions, QObject* parent = nullptr);

 private:
  void ask(const QString& method, double seconds);

  Session* session_;
  BannerQuestions* questions_;
};

}  // namespace binade::app
