// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"

#include <QFrame>

#include <functional>
#include <utility>

class QDockWidget;
class QLabel;
class QPushButton;
class QToolButton;

namespace binade::app {

/// The strip at the top that shows a problem and the next step, or a notice. Not modal. A new problem replaces the old
/// one; a notice does not replace a problem. The log keeps all of them.
class Banner : public QFrame {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);

  /// Sets what *Copy details* copies for a problem. Without it the button copies message and hint.
  void setDetails(std::function<QString(const Problem&)> details) { details_ = std::move(details); }

  void showProblem(const Problem& problem);
  /// Shows a notice. Returns false, without effect, if a problem is shown.
  bool showNotice(const QString& message, const QString& hint);
  /// Shows a notice about what a dock shows, unless the user sees the dock. It goes when the dock becomes visible.
  void showNoticeOf(const QDockWidget* dock, const QString& message, const QString& hint);
  /// Ends a problem: if it is still shown, it is replaced by this notice.
  void turnOver(const Problem& was, const QString& message, const QString& hint);
  /// Adds a button for the next step to the shown problem; the next problem removes it.
  void offer(const QString& text, std::function<void()> what);
  QPushButton* offered() const { return offer_; }
  /// Adds a second button behind that of offer(), which must have been called before.
  void offerOther(const QString& text, std::function<void()> what);
  QPushButton* otherOffered() const { return other_; }
  /// Shown for problems.
  QPushButton* copyButton() const { return copy_; }
  QString message() const;
  QString hint() const;

 public Q_SLOTS:
  void dismiss();
  /// Dismisses a problem that offers nothing to do.
  void dismissPlainProblem();

 Q_SIGNALS:
  void opened();
  void closed();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitHeight();
  void connectOffer(QPushButton* button, const std::function<void()>& what);
  void copyDetails();
  void showText(const QString& message, const QString& hint);
  void showSign(const QString& name);

  QLabel* sign_;
  QString sign_name_;
  QMetaObject::Connection until_shown_;  ///< of the dock of the newest notice that has one
  QLabel* message_;
  QLabel* hint_;
  QPushButton* offer_;
  QPushButton* other_;
  QPushButton* copy_;
  std::function<QString(const Problem&)> details_;
  Problem shown_;  ///< the problem shown now, or last
  std::function<void()> offered_;
  std::function<void()> other_offered_;
  bool problem_ = false;  ///< the text shown now, or last, is a problem
};

}  // namespace binade::app
