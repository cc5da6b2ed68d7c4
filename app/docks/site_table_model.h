// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/call_counts.h"
#include "app/present/site_figures.h"
#include "app/session/policy_document.h"
#include "app/session/selection.h"

#include <QAbstractTableModel>

#include <vector>

namespace binade::app {

/// The op calls of the run, one row per site in execution order. Figures are updated by refresh() rather than with
/// every step. Writing views::FormatRole to a format cell edits the policy document as one undo step, for all selected
/// op calls if the cell's is among them; an empty name removes the rules.
class SiteTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kCall, kFormat, kDoublings, kLost, kOverflows, kTime, kVerdict, kColumns };

  /// All three must outlive the model.
  SiteTableModel(RunModel* run, PolicyDocument* document, Selection* selection, QObject* parent = nullptr);

  int site(int row) const { return row; }
  const SiteFigures& figures(int row) const { return figures_[static_cast<std::size_t>(row)]; }
  /// The counts used by every dock.
  CallCounts counts() const { return callCounts(*run_); }
  /// A read-only run (from a file) shows formats that cannot be edited.
  bool isEditable() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 public Q_SLOTS:
  /// Updates the figures from the run and announces changes.
  void refresh();

 private:
  struct FormatCell {
    QString name;
    QString note;
    int execution = 0;
    bool edited = false;
  };
  void rebuild();
  FormatCell formatCell(int site) const;
  QVariant callData(int site, int role) const;
  QVariant formatData(int site, int role) const;
  QString tensorName(int id) const;
  QString doublingsTip(const SiteFigures& figures) const;
  QVariant figureData(int site, int column, int role) const;
  /// The number of a cell: of its doublings, the largest magnitude in its format.
  QVariant numberData(const SiteFigures& figures, int column) const;
  QVariant timeData(int site, int role) const;
  void takeTimes();
  void takePending();
  SiteFigures figuresNow(int site) const;
  QVariant overflowData(const SiteFigures& figures, int role) const;

  RunModel* run_;
  PolicyDocument* document_;
  Selection* selection_;
  std::vector<SiteFigures> figures_;
  std::vector<policy::Decision> pending_;  ///< by site, of edits that the engine has not applied yet; empty: none
  std::vector<double> seconds_;            ///< per step, from the newest profile; NaN: not measured
};

}  // namespace binade::app
