// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/tensor_choices.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;

namespace binade::app {

/// Two lists: the op call, and which of its tensors. What a person chooses is asked for with a signal; what is shown
/// the owner says. A tensor that is not watched can be chosen too: it stays wanted, and is asked for once it comes.
class TensorPicker : public QWidget {
  Q_OBJECT

 public:
  /// `run` must outlive the picker.
  explicit TensorPicker(const RunModel* run, QWidget* parent = nullptr);

  QComboBox* calls() const { return calls_; }
  /// Data is the WatchedTensor::id, -1 where there is nothing to show.
  QComboBox* tensors() const { return tensors_; }
  bool isEmpty() const;
  /// What was chosen and is not there yet.
  const std::optional<TensorChoice>& wanted() const { return wanted_; }

  /// Brings the lists in line with the run; `shown` is the WatchedTensor::id that is shown, or -1. May ask for
  /// another: the tensor under its new id after an edit, the wanted one that came, a first one where none is shown.
  void refresh(int shown);
  /// Brings the lists in line with what is shown: nothing else is wanted any more.
  void setShown(int tensor);
  /// Of a new run.
  void forget();

 Q_SIGNALS:
  void chosen(int tensor);
  /// There is nothing to show of this one; refresh() repeats it where the reason may be another.
  void missing(const binade::app::TensorChoice& choice);

 private:
  void fillTensors();
  void choose(int index);
  void chooseCall(int site);
  void chooseAny();
  void point(int index);
  int placeOf(const wire::WatchedTensor& tensor) const;
  int placeOfSame(const wire::WatchedTensor& tensor) const;
  int placeOf(int id) const;

  const RunModel* run_;
  QComboBox* calls_;
  QComboBox* tensors_;
  std::vector<TensorChoice> choices_;  ///< what tensors_ lists
  int site_ = -1;                      ///< whose they are
  int shown_ = -1;
  std::optional<TensorChoice> wanted_;
  bool filling_ = false;
};

}  // namespace binade::app
