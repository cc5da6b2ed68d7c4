// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>
#include <QString>

#include <functional>

namespace binade::app {

class Banner;

/// A question with two answers, which can wait.
struct BannerQuestion {
  QString id;  ///< a later question with the same id replaces it
  QString message;
  QString hint;
  QString yes;  ///< text of the first button
  std::function<void()> on_yes;
  QString no;
  std::function<void()> on_no;
};

/// Questions that wait for their turn in the banner: behind a problem, and one after the other. A question stays until
/// it is answered. One whose banner the user closed is shown again when repeat() is called, or a new one is asked.
class BannerQuestions : public QObject {
  Q_OBJECT

 public:
  /// `banner` must outlive the object.
  explicit BannerQuestions(Banner* banner, QObject* parent = nullptr);

  void ask(BannerQuestion question);
  /// Drops a question that has become pointless.
  void withdraw(const QString& id);
  bool isAsked(const QString& id) const;

 public Q_SLOTS:
  /// Shows the first question in place of a notice, unless a problem is shown.
  void repeat();

 private:
  void answer(const QString& id, const std::function<void()>& then);
  bool isShown() const;

  Banner* banner_;
  QList<BannerQuestion> waiting_;
  QString shown_;  ///< message of the question that was shown last
};

}  // namespace binade::app
