// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QAbstractTableModel>

namespace binade::app {

/// Events of the run, one row each, oldest first (the view sorts). Grows with the run.
class EventTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kStep, kWhat, kScale, kCalls, kSentence, kColumns };

  /// `run` must outlive the model.
  explicit EventTableModel(RunModel* run, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  enum class Names { kWhole, kShort };  ///< `fc2/aten::linear#0`; `fc2`
  QStringList callsOf(const wire::Event& event, Names names) const;
  QString callsText(const wire::Event& event, Names names) const;
  QString footText(const wire::Event& event) const;

  RunModel* run_;
  int rows_ = 0;
};

}  // namespace binade::app
