// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::app {

/// The path of a fault through the model: op calls by site id, from the first cause to its end.
struct LitPath {
  std::vector<int> sites;
  std::vector<int> causes;  ///< those where it started
  bool backward = false;
  /// The loss, from which a gradient came to the first cause; -1: none. It has no fault itself.
  int from = -1;
  friend bool operator==(const LitPath&, const LitPath&) = default;
};

/// The window's selection, which connects docks that do not know each other. Setters emit their signals only on
/// changes, so a dock may respond to a signal by setting the same value.
class Selection : public QObject {
  Q_OBJECT

 public:
  explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

  /// The step under the cursor; nullopt while charts follow the newest step.
  std::optional<std::int64_t> step() const { return step_; }
  /// The step that the user chose for all views; nullopt: they follow the newest. The cursor is then at this step.
  std::optional<std::int64_t> shown() const { return shown_; }
  /// Selected op calls by site id, in order of selection.
  const std::vector<int>& sites() const { return sites_; }
  /// The watched tensor whose histogram is shown, by WatchedTensor::id; -1: none.
  int tensor() const { return tensor_; }
  /// The selected event, an index of RunModel::events(); -1: none.
  int event() const { return event_; }
  /// The rank whose figures are shown where ranks differ; -1: all. Only runs on several ranks have others.
  int rank() const { return rank_; }
  /// Highlighted in table and graph; empty: none.
  const LitPath& path() const { return path_; }

 public Q_SLOTS:
  /// Moves the cursor. While all views show an earlier step, they follow it; nullopt returns them to the newest.
  void setStep(std::optional<std::int64_t> step);
  /// Makes all views show a step; nullopt: the newest, and the cursor goes.
  void setShown(std::optional<std::int64_t> step);
  void setSites(const std::vector<int>& sites);
  void setTensor(int tensor);
  void setEvent(int event);
  void setRank(int rank);
  void setPath(const binade::app::LitPath& path);
  void clear();

 Q_SIGNALS:
  void stepChanged(std::optional<std::int64_t> step);
  void shownChanged(std::optional<std::int64_t> step);
  void sitesChanged(const std::vector<int>& sites);
  void tensorChanged(int tensor);
  void eventChanged(int event);
  void rankChanged(int rank);
  void pathChanged();

 private:
  std::optional<std::int64_t> step_;
  std::optional<std::int64_t> shown_;
  std::vector<int> sites_;
  int tensor_ = -1;
  int event_ = -1;
  int rank_ = -1;
  LitPath path_;
};

}  // namespace binade::app
