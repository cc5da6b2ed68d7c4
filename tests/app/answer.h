// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

namespace binade::test {

/// A person at the next question, who presses this button. Counts the questions that were answered.
class Answer {
 public:
  explicit Answer(QMessageBox::StandardButton button) {
    timer_.setInterval(5);
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this, button] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr || !box->isVisible()) return;
      ++given_;
      question_ = box->text();
      box->button(button)->click();
    });
    timer_.start();
  }
  bool given() const { return given_ == 1; }
  int count() const { return given_; }
  QString question() const { return question_; }

 private:
  QTimer timer_;
  int given_ = 0;
  QString question_;
};

}  // namespace binade::test
