// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRadioButton>
#include <QTextDocument>

namespace binade::views {

/// One option of a prediction: a circle, a text that wraps, and after the choice a note. A click or Space chooses it;
/// Up and Down move between the options of a card. GUI thread.
class OptionButton : public QRadioButton {
  Q_OBJECT

 public:
  explicit OptionButton(const QString& markdown, QWidget* parent = nullptr);

  /// Shows how the option was judged. `right` marks the right option; `note` stands at the right of its text, or
  /// below it where there is no room. A judged option
  /// cannot be chosen any more, but is still read.
  void setJudged(bool right, const QString& note);
  bool isJudged() const { return judged_; }
  QString note() const { return note_; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool hitButton(const QPoint& position) const override;
  void nextCheckState() override;

 private:
  void read();
  bool isNoteBeside(int width) const;

  QString markdown_;
  QTextDocument document_;
  double line_width_ = 0;  ///< of the text on one line, in px
  QString note_;
  bool judged_ = false;
  bool right_ = false;
};

}  // namespace binade::views
