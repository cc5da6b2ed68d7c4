// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/problem.h"

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;
class QToolButton;

namespace binade::app {

/// The strip above everything that says what went wrong and what to do next, or what was found that a person may want
/// to see. Not modal: nothing is in the way, and nothing is lost. A new problem takes the place of the old one; a
/// notice does not take that of a problem. The log keeps all.
class Banner : public QFrame {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);

  void showProblem(const Problem& problem);
  /// Nothing is wrong. False where a problem stands there, and the notice does not.
  bool showNotice(const QString& message, const QString& hint);
  /// The problem is over: where it still stands there, words take its place that say so, and it is none any more.
  void turnOver(const Problem& was, const QString& message, const QString& hint);
  /// Puts a button beside the problem that is shown, for the next step; the next problem takes it away.
  void offer(const QString& text, std::function<void()> what);
  QPushButton* offered() const { return offer_; }
  QString message() const;
  QString hint() const;

 public Q_SLOTS:
  void dismiss();

 Q_SIGNALS:
  void opened();
  void closed();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitHeight();
  void say(const QString& message, const QString& hint);

  QLabel* sign_;
  QLabel* message_;
  QLabel* hint_;
  QPushButton* offer_;
  std::function<void()> offered_;
  bool problem_ = false;  ///< what is shown, or was last
};

}  // namespace binade::app
