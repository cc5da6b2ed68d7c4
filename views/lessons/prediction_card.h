// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

namespace binade::views {

class FeedbackBox;
class OptionButton;

/// A prediction: the question and its options. The first choice counts; it shows the option's feedback and marks the
/// right option. GUI thread.
class PredictionCard : public QWidget {
  Q_OBJECT

 public:
  PredictionCard(const lessons::Prediction& prediction, std::optional<std::size_t> chosen, QWidget* parent = nullptr);

  const std::vector<OptionButton*>& options() const { return options_; }
  FeedbackBox* feedback() const { return feedback_; }
  std::optional<std::size_t> chosen() const { return chosen_; }

 Q_SIGNALS:
  void predicted(std::size_t option);

 private:
  void choose(std::size_t option);
  void judge();

  lessons::Prediction prediction_;
  std::optional<std::size_t> chosen_;
  std::vector<OptionButton*> options_;
  FeedbackBox* feedback_;
};

}  // namespace binade::views
