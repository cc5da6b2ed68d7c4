// SPDX-License-Identifier: Apache-2.0
#include "app/docks/search_dock.h"

#include "app/docks/empty_state.h"
#include "app/docks/search_form.h"
#include "app/model/site_name.h"
#include "app/present/cell_model.h"
#include "app/present/search_rows.h"
#include "app/session/session.h"
#include "engine/policy/base_policy.h"
#include "views/beside_or_below.h"
#include "views/flow_layout.h"
#include "views/look_at_number.h"
#include "views/plot/front_plot.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace binade::app {

namespace {

constexpr int kLongerSteps = 5;  // a longer Try makes this many times the steps of the search
constexpr qint64 kLongerSeeds = 3;
constexpr int kLeastList = 112;  // height of the list: its header and three rows
constexpr int kLeastChart = 112;
constexpr int kListBeside = 680;  // pixels from which on the list is beside the chart

/// Width in px of the column of the cost: its longest heading fits in it.
int costWidth() {
  double most = 0;
  for (const SearchGoal goal : {SearchGoal::kTime, SearchGoal::kMemory, SearchGoal::kCasts, SearchGoal::kRepair})
    most = std::max(most, views::textWidth(views::textFont(12, QFont::DemiBold), costName(goal)));
  constexpr int kMargins = 18;
  return std::max(80, static_cast<int>(std::ceil(most)) + kMargins);
}

QString endText(const SearchResult& result) {
  const qsizetype found = result.front.size();
  if (result.problem) return result.problem->message;
  if (found == 0) return SearchDock::tr("The search has found nothing better.");
  return found == 1 ? SearchDock::tr("The search has ended. It found 1 policy.")
                    : SearchDock::tr("The search has ended. It found %1 policies.").arg(found);
}

// What a try of the search trained beside: a policy that fails has no losses to compare with. As search::reference().
policy::Policy comparedWith(const SearchOrder& order) {
  if (order.goal != SearchGoal::kRepair) return order.base;
  if (order.formats.isEmpty() && policy::has_products(order.base)) return policy::without_products(order.base);
  policy::Policy float32;
  float32.base = policy::Base::kAllFloat32;
  return float32;
}

}  // namespace

SearchDock::SearchDock(Session* session, QWidget* parent)
    : Dock(QStringLiteral("search"), tr("Search"), parent),
      session_(session),
      searches_(session->searches()),
      other_(new QToolButton),
      form_(new SearchForm),
      search_(new QPushButton(tr("Search"))),
      resume_(new QPushButton(tr("Resume"))),
      why_not_(views::makeTextLabel(views::Tone::kSecond)),
      cancel_(new QPushButton(tr("Cancel"))),
      sentence_(views::makeTextLabel()),
      message_(views::makeTextLabel(views::Tone::kCrimson)),
      plot_(new views::FrontPlot),
      model_(new CellModel(searchColumns(SearchGoal::kTime), this)),
      table_(new QTableView),
      detail_(views::makeTextLabel(views::Tone::kSecond)),
      apply_(new QPushButton(tr("Apply"))),
      save_(new QPushButton(tr("Save policy…"))),
      export_(new QPushButton(tr("Export…"))),
      try_(new QPushButton(tr("Try longer"))) {
  auto* page = new QWidget;
  views::setPanelGround(page);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  other_->setText(tr("Goal, budget and limits"));
  other_->setCheckable(true);
  other_->setArrowType(Qt::RightArrow);
  other_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  column->addWidget(other_);
  order_box_ = makeOrder();
  column->addWidget(order_box_);
  progress_box_ = makeProgress();
  column->addWidget(progress_box_);
  message_->setContentsMargins(16, 6, 16, 6);
  column->addWidget(message_);
  empty_ = new EmptyState(makeFound(), QString(), QString());
  column->addWidget(empty_, 1);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(page);
  auto* whole = new QWidget;
  auto* rows = new QVBoxLayout(whole);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addWidget(scroll, 1);
  foot_ = makeFoot();
  rows->addWidget(foot_);
  setWidget(whole);
  connect(other_, &QToolButton::toggled, this, &SearchDock::updateOrder);
  connectSession();
  updateCalls();
  update();
}

QWidget* SearchDock::makeOrder() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(form_);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(16, 0, 16, 10);
  row->setSpacing(8);
  views::setPrimary(search_);
  row->addWidget(search_);
  row->addWidget(why_not_, 1);
  column->addLayout(row);
  connect(form_, &SearchForm::changed, this, &SearchDock::updateOrder);
  connect(search_, &QPushButton::clicked, this, &SearchDock::start);
  return box;
}

QWidget* SearchDock::makeProgress() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(16, 8, 16, 6);
  column->setSpacing(4);
  progress_ = views::makeProgressLine(tr("Search"));
  progress_->setRange(0, 0);
  auto* row = new QHBoxLayout;
  row->addWidget(sentence_, 1);
  row->addWidget(resume_, 0, Qt::AlignTop);
  row->addWidget(cancel_, 0, Qt::AlignTop);
  column->addLayout(row);
  column->addWidget(progress_);
  connect(resume_, &QPushButton::clicked, this, [this] {
    const SearchOrder order = form_->order();
    other_->setChecked(false);
    searches_.resume(order.minutes, order.tries);
  });
  cancel_->setToolTip(tr("Ends the search after the step in progress. The policies found so far are kept."));
  connect(cancel_, &QPushButton::clicked, this, [this] {
    cancel_->setEnabled(false);
    searches_.cancel();
  });
  return box;
}

QWidget* SearchDock::makeFound() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  plot_->setMinimumHeight(kLeastChart);
  table_->setModel(model_);
  views::styleTable(table_);
  views::addLookEntry(table_, this);
  table_->setSortingEnabled(false);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setAccessibleName(tr("Policies that were tried"));
  table_->setItemDelegateForColumn(search_column::kVerdict, new views::VerdictDelegate(table_));
  table_->setMinimumHeight(kLeastList);
  // A list has no height that it needs: it gets what is left, so that as much as possible is seen without scrolling.
  table_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
  const int cost = costWidth();
  views::setColumnWidths(table_, {230, cost, 104, 214}, {84, cost, 96, 118});
  auto* found = new views::BesideOrBelow(plot_, table_, kListBeside);
  found->setShares(2, 3);  // in the arrangement Tune, columns and verdicts are then whole also on a small screen
  column->addWidget(found, 1);
  detail_->setContentsMargins(16, 8, 16, 8);
  column->addWidget(detail_);
  connect(plot_, &views::FrontPlot::pointChosen, this, &SearchDock::choose);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
    if (!filling_ && now.isValid()) choose(model_->row(now.row()).id);
  });
  return box;
}

QWidget* SearchDock::makeFoot() {
  auto* foot = new QWidget;
  views::setSurface(foot, views::Surface::kFoot);
  auto* flow = new views::FlowLayout(foot, 8, 6);
  flow->setContentsMargins(16, 10, 16, 10);
  views::setPrimary(apply_);
  for (QPushButton* button : {apply_, try_, save_, export_}) flow->addWidget(button);
  save_->setToolTip(tr("Writes the policy with its evidence to a file"));
  export_->setToolTip(tr("Writes the policy for another program"));
  // A dialog or a slot may let the search go on, which moves its points. So each of these gets a copy.
  connect(apply_, &QPushButton::clicked, this, [this] {
    if (const auto point = chosenCopy()) session_->document().replace(point->policy, changeText(*point, 1));
  });
  connect(try_, &QPushButton::clicked, this, [this] {
    const auto point = chosenCopy();
    if (!point) return;
    const SearchOrder& order = *searches_.order();
    TryWish wish{comparedWith(order), point->policy, changeText(*point, 1)};
    wish.steps = order.steps * kLongerSteps;
    wish.seeds = std::max(order.seeds, kLongerSeeds);
    Q_EMIT tryRequested(wish);
  });
  connect(save_, &QPushButton::clicked, this, [this] {
    if (const auto point = chosenCopy()) Q_EMIT saveRequested(point->policy, chosenName());
  });
  connect(export_, &QPushButton::clicked, this, [this] {
    if (const auto point = chosenCopy()) Q_EMIT exportRequested(point->policy, chosenName());
  });
  return foot;
}

void SearchDock::connectSession() {
  const RunModel* run = &session_->run();
  for (const auto changed : {&RunModel::reset, &RunModel::stateChanged, &RunModel::checkpointAdded})
    connect(run, changed, this, &SearchDock::update);
  connect(run, &RunModel::reset, this, &SearchDock::updateCalls);
  connect(&session_->tries(), &Tries::started, this, &SearchDock::update);
  connect(&session_->tries(), &Tries::finished, this, &SearchDock::update);
  connect(&session_->selection(), &Selection::sitesChanged, this, &SearchDock::updateSelected);
  connect(&session_->document(), &PolicyDocument::changed, this, &SearchDock::updateChosen);
  connect(&searches_, &Searches::changed, this, &SearchDock::update);
  connect(&searches_, &Searches::finished, this, [this](const SearchResult& result) {
    // The dock has the sentence: the notice above it would repeat it once the dock is in sight.
    if (!result.cancelled) Q_EMIT ended(endText(result), result.problem ? result.problem->hint : QString());
  });
}

void SearchDock::updateCalls() {
  QStringList calls;
  for (const wire::SiteInfo& site : session_->run().sites()) calls << siteName(site.key);
  form_->setCalls(calls);
  updateSelected();
}

void SearchDock::updateSelected() {
  const auto& sites = session_->run().sites();
  QStringList calls;
  for (const int site : session_->selection().sites()) {
    if (site >= 0 && static_cast<std::size_t>(site) < sites.size())
      calls << siteName(sites[static_cast<std::size_t>(site)].key);
  }
  form_->setSelected(calls);
}

void SearchDock::proposeRepair() {
  form_->setGoal(SearchGoal::kRepair);
  other_->setChecked(true);
  if (search_->isEnabled()) search_->setFocus();
}

void SearchDock::start() {
  if (!search_->isEnabled()) return;
  SearchOrder order = form_->order();
  order.base = session_->document().policy();
  chosen_ = -1;
  other_->setChecked(false);
  searches_.start(order);
}

void SearchDock::update() {
  const bool running = searches_.isRunning();
  if (!running) cancel_->setEnabled(true);
  progress_box_->setVisible(searches_.order().has_value());
  progress_->setVisible(running);
  cancel_->setVisible(running);
  QStringList parts;
  if (searches_.tries() > 0 || searches_.seconds() > 0) {
    parts << (searches_.tries() == 1 ? tr("1 try") : tr("%1 tries").arg(views::grouped(searches_.tries())))
          << views::duration(searches_.seconds());
  }
  if (!searches_.sentence().isEmpty()) parts << searches_.sentence();
  const auto open = std::count_if(searches_.points().begin(), searches_.points().end(),
                                  [](const SearchPoint& each) { return each.verdict == wire::TrialVerdict::kUnknown; });
  if (!running && open > 0) {
    parts << tr("Not decided: %1 of %2. More steps or repetitions can decide.")
                 .arg(views::grouped(open), views::grouped(searches_.points().size()));
  }
  sentence_->setText(parts.join(QStringLiteral(" · ")));
  const auto& result = searches_.result();
  const bool failed = result && result->problem;
  message_->setVisible(failed);
  message_->setText(failed ? result->problem->text() : QString());
  updateOrder();
  updateFound();
}

void SearchDock::updateOrder() {
  const bool running = searches_.isRunning();
  const bool has_some = searches_.order().has_value();
  other_->setVisible(has_some && !running);
  other_->setArrowType(other_->isChecked() ? Qt::DownArrow : Qt::RightArrow);
  order_box_->setVisible(!session_->run().isEmpty() && !running && (other_->isChecked() || !has_some));
  const wire::DataConfig& data = session_->run().config().data;
  form_->setEvaluates(data.kind != "files" || data.test > 0);
  const auto problem = searches_.whyNot();
  const QString why = running ? tr("A search is in progress.") : problem ? problem->text() : form_->whyNot();
  search_->setEnabled(why.isEmpty());
  search_->setToolTip(why);
  why_not_->setText(problem && searches_.points().isEmpty() ? QString() : why);  // the empty page says it
  // Not in the order, which is folded after a search: who has cancelled one looks for the way back here.
  resume_->setVisible(has_some && !running && !searches_.order()->run.isEmpty());
  resume_->setEnabled(why.isEmpty());
  resume_->setToolTip(!why.isEmpty() ? why
                                     : tr("Goes on with the last search, with the minutes and tries that are set in "
                                          "“Goal, budget and limits”. What it spent before counts."));
  updateEmpty();
}

void SearchDock::updateFound() {
  const QList<SearchPoint>& points = searches_.points();
  empty_->setEmpty(points.isEmpty());
  if (points.isEmpty()) {
    chosen_ = -1;
    model_->setRows({});
    plot_->setPoints({}, {}, {});
    plot_->setPresent({});
    return updateChosen();
  }
  const SearchGoal goal = searches_.order()->goal;
  std::vector<views::FrontPoint> places;
  for (const SearchPoint& each : points) {
    const bool front = searches_.front().contains(each.attempt);
    const bool lost = each.verdict == wire::TrialVerdict::kDiverged || each.verdict == wire::TrialVerdict::kDoesNotRun;
    const auto verdict = front                                          ? views::FrontVerdict::kFront
                         : lost                                         ? views::FrontVerdict::kLost
                         : each.verdict == wire::TrialVerdict::kUnknown ? views::FrontVerdict::kUndecided
                         : each.holds                                   ? views::FrontVerdict::kBeaten
                                                                        : views::FrontVerdict::kRejected;
    places.push_back({each.attempt, each.cost, each.gap, verdict, pointText(goal, each, front)});
  }
  const auto present = presentCost(points);
  plot_->setPresent(present,
                    present ? tr("Present policy · %1 %2").arg(costName(goal), costText(goal, *present)) : QString());
  model_->setColumn(search_column::kCost, searchColumns(goal).at(search_column::kCost));
  plot_->setPoints(std::move(places), costName(goal), [goal](double cost) { return costText(goal, cost); });
  filling_ = true;
  model_->setRows(searchRows(goal, points, searches_.front()));
  filling_ = false;
  // The cheapest policy that holds is what most people want to see.
  if (chosen() == nullptr && !searches_.front().isEmpty()) chosen_ = model_->row(0).id;
  choose(chosen_);
}

void SearchDock::updateEmpty() {
  const auto problem = searches_.whyNot();
  if (problem && !session_->run().isEmpty()) return empty_->setText(problem->message, problem->hint);
  const SearchGoal goal = searches_.isRunning() ? searches_.order()->goal : form_->order().goal;
  empty_->setText(
      searches_.isRunning() ? tr("Searching")
      : searches_.result()  ? tr("No policy was tried.")
                            : tr("No search yet."),
      goal == SearchGoal::kRepair
          ? tr("A search for a repair proposes policies with few changes, and proves each by training beside float32, "
               "or "
               "beside the same policy without scaled formats if it has any. The run itself goes on.")
          : tr("A search proposes policies, cheapest first, and proves each by training beside the present one. The "
               "run itself goes on."));
}

void SearchDock::choose(qlonglong attempt) {
  chosen_ = attempt;
  plot_->setChosen(attempt);
  const int row = model_->rowOf(attempt);
  filling_ = true;
  if (row >= 0 && row != table_->currentIndex().row()) table_->selectRow(row);
  filling_ = false;
  updateChosen();
}

const SearchPoint* SearchDock::chosen() const {
  return searches_.point(chosen_);
}

std::optional<SearchPoint> SearchDock::chosenCopy() const {
  const SearchPoint* point = chosen();
  return point == nullptr ? std::nullopt : std::optional(*point);
}

// The file that the engine wrote has a name of the same form.
QString SearchDock::chosenName() const {
  const QString run = QString::fromStdString(session_->run().config().name);
  return QStringLiteral("%1 %2")
      .arg(run.isEmpty() ? tr("policy") : run)
      .arg(chosen_)
      .replace(u' ', u'-')
      .replace(u'/', u'-');
}

void SearchDock::updateChosen() {
  const SearchPoint* point = chosen();
  detail_->setVisible(point != nullptr);
  foot_->setVisible(point != nullptr);
  if (point == nullptr) return;
  const SearchGoal goal = searches_.order()->goal;
  QStringList parts{changeText(*point, 12), QStringLiteral("%1: %2").arg(costName(goal), costBeside(goal, *point))};
  if (point->evaluation) parts << tr("evaluation %1").arg(views::figure(*point->evaluation, 4));
  if (!point->reason.isEmpty()) parts << point->reason;
  detail_->setText(parts.join(QStringLiteral(" · ")));
  const bool in_force = session_->document().policy() == point->policy;
  apply_->setEnabled(!in_force);
  apply_->setToolTip(in_force ? tr("The policy is in force.") : tr("Makes it the run's policy, as one undo step"));
  const auto why = session_->tries().whyNot();
  try_->setEnabled(!why && !session_->tries().isRunning());
  try_->setToolTip(why ? why->message : tr("Trains under both policies with more steps and repetitions"));
}

}  // namespace binade::app
