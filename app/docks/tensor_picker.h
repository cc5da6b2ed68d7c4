// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/present/tensor_choices.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;

namespace binade::app {

/// Two lists: the op call, and its tensor. A choice by the user is emitted as a signal; the owner sets what is shown.
/// An unobserved tensor can be chosen too: it is remembered, and emitted once it is observed.
class TensorPicker : public QWidget {
  Q_OBJECT

 public:
  /// `run` must outlive the picker.
  explicit TensorPicker(const RunModel* run, QWidget* parent = nullptr);

  QComboBox* calls() const { return calls_; }
  /// Data is the WatchedTensor::id; -1: nothing to show.
  QComboBox* tensors() const { return tensors_; }
  bool isEmpty() const;
  /// The chosen tensor that is not observed yet.
  const std::optional<TensorChoice>& wanted() const { return wanted_; }

  /// Updates the lists from the run; `shown` is the WatchedTensor::id on display, or -1. May emit chosen() for another
  /// one: the tensor under its new id after an edit, the remembered one, or a first one if none is shown.
  void refresh(int shown);
  /// Sets the lists to the tensor on display, and forgets any remembered one. -1: no tensor, so that no entry is
  /// chosen.
  void setShown(int tensor);
  /// Call for a new run.
  void forget();

 Q_SIGNALS:
  void chosen(int tensor);
  /// There is nothing to show for this choice. Emitted again by refresh() if the reason may have changed.
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
  std::vector<TensorChoice> choices_;  ///< the entries of tensors_
  int site_ = -1;                      ///< their op call
  int shown_ = -1;
  std::optional<TensorChoice> wanted_;
  bool filling_ = false;
};

}  // namespace binade::app
