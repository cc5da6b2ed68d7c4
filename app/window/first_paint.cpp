// SPDX-License-Identifier: Apache-2.0
#include "app/window/first_paint.h"

#include <QEvent>
#include <QTimer>
#include <QWidget>

#include <utility>

namespace binade::app {

namespace {

constexpr int kLongestWaitMs = 500;

class FirstPaint : public QObject {
 public:
  FirstPaint(QWidget* widget, std::function<void()> then) : QObject(widget), then_(std::move(then)) {
    widget->installEventFilter(this);
    QTimer::singleShot(kLongestWaitMs, this, [this] { finish(); });
  }

  bool eventFilter(QObject*, QEvent* event) override {
    // The paint event precedes the painting of the children: continue after all of it.
    if (event->type() == QEvent::Paint) QTimer::singleShot(0, this, [this] { finish(); });
    return false;
  }

 private:
  void finish() {
    if (!then_) return;
    const auto then = std::exchange(then_, nullptr);
    deleteLater();
    then();
  }

  std::function<void()> then_;
};

}  // namespace

void afterFirstPaint(QWidget* widget, std::function<void()> then) {
  new FirstPaint(widget, std::move(then));
}

}  // namespace binade::app
