// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/call_counts.h"
#include "app/present/cell_model.h"
#include "app/present/site_figures.h"
#include "app/present/site_format.h"
#include "app/present/site_groups.h"
#include "app/session/policy_document.h"
#include "app/session/selection.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QList>

#include <functional>
#include <optional>
#include <vector>

namespace binade::app {

/// The op calls of the run, one row per site in execution order. Figures are updated by refresh() rather than with
/// every step; it computes those of op calls with news, and announces the rows that changed. Writing views::FormatRole
/// to a format cell edits the policy document as one undo step, for all selected op calls if the cell's is among them;
/// an empty name removes the rules.
class SiteTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kCall, kFormat, kDoublings, kHistory, kLost, kOverflows, kTime, kBeside, kVerdict, kColumns };

  /// The column *kBeside*: a figure of each op call in another run.
  struct Beside {
    QString title;
    QString tip;
    std::function<Cell(int site)> cell;  ///< null: no second run, and the column is empty
  };

  /// All three must outlive the model.
  SiteTableModel(RunModel* run, PolicyDocument* document, Selection* selection, QObject* parent = nullptr);

  int site(int row) const { return row; }
  const std::vector<wire::SiteInfo>& sites() const { return run_->sites(); }
  const SiteFigures& figures(int row) const { return figures_[static_cast<std::size_t>(row)]; }
  /// The counts used by every dock.
  CallCounts counts() const { return callCounts(*run_); }
  /// Whether there is a run. An edit of an ended one, or of a run file, is for the next start.
  bool isEditable() const;
  /// The format that an edit has chosen and that is not in force yet; its note says when it will be. The name is empty
  /// if there is none.
  SiteFormat waitingFormat(int row) const;
  /// Seconds of an op call in one step; NaN: not measured.
  double seconds(int row) const { return seconds_[static_cast<std::size_t>(row)]; }
  /// `3`, `1 + 2 in a cast`, `0 (7 before)`: after the newest edit, and before it.
  static QString overflowText(const SiteOverflows& overflows);
  /// Whether the time or the doublings left of any op call are known.
  bool hasFigures() const;
  /// Whether any op call's time is known.
  bool hasTimes() const;

  /// Shows a figure of another run beside this one's. Call again when its figures have changed.
  void setBeside(const Beside& beside);
  bool hasBeside() const { return beside_.cell != nullptr; }

  /// Edits the policy as one undo step, by a rule on the path of each module; an empty name removes those rules and the
  /// ones of the modules' op calls. Returns whether the policy can be edited so.
  bool setModuleFormat(const std::vector<SiteGroup>& modules, const QString& name);
  /// The policy as setModuleFormat() would make it, for a Try.
  policy::Policy withModuleFormat(const std::vector<SiteGroup>& modules, const QString& name) const;
  /// Sets the format of op calls as one undo step; an empty name removes their rules.
  bool setFormatOf(const std::vector<int>& sites, const QString& name);

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
    QString brief_note;  ///< shown if the note does not fit
    int execution = 0;
    bool edited = false;
    friend bool operator==(const FormatCell&, const FormatCell&) = default;
  };
  /// What of a row was announced last.
  struct Shown {
    SiteStamp stamp;
    FormatCell format;
  };
  struct HistoryLine {
    SiteStamp stamp;
    QList<double> points;
  };
  void rebuild();
  bool isUpToDate(std::size_t at, bool same_run) const;
  void announce(const std::vector<int>& rows);
  std::vector<policy::SiteKey> keysOf(const std::vector<int>& sites) const;
  QVariant historyData(int site, int role) const;
  FormatCell formatCell(int site) const;
  QVariant callData(int site, int role) const;
  QVariant formatData(int site, int role) const;
  QString tensorName(int id) const;
  QString doublingsTip(const SiteFigures& figures) const;
  QVariant figureData(int site, int column, int role) const;
  /// The number of a cell: of its doublings, the largest magnitude in its format.
  QVariant numberData(const SiteFigures& figures, int column) const;
  QVariant timeData(int site, int role) const;
  /// Returns whether edits or what they are compared with may have changed.
  bool takePending();
  SiteFigures figuresNow(int site) const;
  QVariant overflowData(const SiteFigures& figures, int role) const;

  RunModel* run_;
  PolicyDocument* document_;
  Selection* selection_;
  std::vector<SiteFigures> figures_;
  std::vector<policy::Decision> pending_;     ///< by site, of edits that the engine has not applied yet; empty: none
  std::optional<policy::Policy> pending_of_;  ///< the document's policy that `pending_` was found with ...
  std::size_t pending_policies_ = 0;          ///< ... and the number of policies then
  std::vector<double> seconds_;               ///< per step, from the newest profile; NaN: not measured
  std::vector<Shown> shown_;                  ///< by site
  FiguresStamp run_stamp_;
  Beside beside_;
  mutable QHash<int, HistoryLine> histories_;  ///< of rows that were painted
};

}  // namespace binade::app
