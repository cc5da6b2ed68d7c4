// SPDX-License-Identifier: Apache-2.0
#include "app/docks/graph_dock.h"

#include "app/docks/empty_state.h"
#include "app/present/call_counts.h"
#include "views/elided_label.h"
#include "views/graph/graph_legend.h"
#include "views/icons.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace binade::app {

GraphDock::GraphDock(RunModel* run, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("graph"), tr("Graph"), parent),
      run_(run),
      selection_(selection),
      graph_(new views::ModuleGraph),
      color_(new QComboBox),
      caption_(new views::ElidedLabel),
      hide_path_(new QToolButton),
      fit_(new QToolButton),
      find_(new QToolButton),
      legend_(new views::GraphLegend),
      empty_(nullptr) {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* header = new QWidget;
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(12, 6, 12, 6);
  color_->addItem(tr("Format"), static_cast<int>(GraphColor::kFormat));
  color_->addItem(tr("Doublings left"), static_cast<int>(GraphColor::kHeadroom));
  color_->addItem(tr("Overflows"), static_cast<int>(GraphColor::kOverflows));
  color_->addItem(tr("Time"), static_cast<int>(GraphColor::kTime));
  color_->addItem(tr("Tensor cores active"), static_cast<int>(GraphColor::kTensor));
  color_->setAccessibleName(tr("Colour of the graph"));
  color_->setToolTip(color_->accessibleName());
  color_->setWhatsThis(
      tr("Chooses the figure that colours the boxes. Format shows where casts happen. Doublings left shows how often "
         "the largest value can double before it overflows. Overflows counts them. Time and Tensor cores active need a "
         "run that is profiled."));
  views::setTone(caption_, views::Tone::kCrimson);
  row->addWidget(color_);
  row->addStretch();
  row->addWidget(caption_);
  const auto addButton = [row](QToolButton* button, const QString& icon, const QString& name, const QString& tip) {
    button->setIcon(views::icon(icon));
    button->setAutoRaise(true);
    button->setAccessibleName(name);
    button->setToolTip(tip);
    row->addWidget(button);
  };
  addButton(hide_path_, QStringLiteral("close"), tr("Hide the path of the event"),
            tr("Hides the path in the graph until another event is selected"));
  addButton(find_, QStringLiteral("search"), tr("Find in the graph"), tr("Find in the graph (Ctrl+F)"));
  addButton(fit_, QStringLiteral("fit"), tr("Fit the graph"), tr("Fit the graph (F)"));
  hide_path_->hide();
  column->addWidget(header);
  column->addWidget(graph_, 1);
  column->addWidget(legend_);
  graph_->setLayouter([this](views::LayoutInput input, GraphLayouter::Done done) {
    layouter_.layOut(std::move(input), std::move(done));
  });
  empty_ = new EmptyState(page, tr("No model yet."), tr("The modules of a model appear here when its run starts."));
  setWidget(empty_);
  connect(color_, &QComboBox::currentIndexChanged, this, &GraphDock::refresh);
  connect(fit_, &QToolButton::clicked, graph_, &views::ModuleGraph::fit);
  connect(find_, &QToolButton::clicked, graph_, &views::ModuleGraph::openFind);
  connect(graph_, &views::ModuleGraph::activated, selection_, &Selection::setSites);
  connect(selection_, &Selection::sitesChanged, graph_, &views::ModuleGraph::setSelected);
  connect(selection_, &Selection::pathChanged, this, &GraphDock::showPath);
  // Events may have equal paths, so the path alone does not tell of another one.
  connect(selection_, &Selection::eventChanged, this, [this] {
    path_hidden_ = false;
    showPath();
  });
  connect(hide_path_, &QToolButton::clicked, this, [this] {
    path_hidden_ = true;
    showPath();
  });
  connect(run_, &RunModel::reset, this, [this] { rebuild(views::ModuleGraph::View::kNew); });
  connect(run_, &RunModel::frame, this, [this] {
    if (isVisible()) refresh();
  });
  connect(views::themeEvents(), &views::ThemeEvents::themeChanged, this, &GraphDock::refresh);
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) refresh();
  });
  rebuild(views::ModuleGraph::View::kNew);
}

// A hidden graph is built when it is next seen.
void GraphDock::rebuild(views::ModuleGraph::View view) {
  empty_->setEmpty(run_->sites().empty());
  if (isVisible()) return build(view);
  stale_ = true;
  executed_ = callCounts(*run_).executed;
  nodes_.clear();
  flow_ = {};
  graph_->setNodes({}, {}, view);
}

void GraphDock::build(views::ModuleGraph::View view) {
  stale_ = false;
  executed_ = callCounts(*run_).executed;
  nodes_ = graphNodes(*run_);
  flow_ = graphFlow(*run_);
  graph_->setNodes(nodes_, flow_.edges, view);
  showPath();
}

// A hidden graph has no boxes, or those of an earlier step.
void GraphDock::exportGraph() {
  if (run_->sites().empty()) return;
  if (stale_) {
    build(views::ModuleGraph::View::kKept);
  } else {
    shade();
  }
  graph_->exportAs(QStringLiteral(".svg"));
}

void GraphDock::refresh() {
  // The executed op calls are known after the first steps, and more exactly once they are timed.
  if ((stale_ && isVisible()) || callCounts(*run_).executed != executed_)
    return rebuild(views::ModuleGraph::View::kKept);
  if (stale_) return;
  shade();
}

void GraphDock::setWaiting(const WaitingFormat& waiting) {
  waiting_ = waiting;
  if (!stale_) shade();
}

void GraphDock::shade() {
  const auto color = static_cast<GraphColor>(color_->currentData().toInt());
  std::vector<views::GraphShade> shades = graphShades(*run_, nodes_, color, waiting_);
  addCasts(*run_, nodes_, flow_, shades);
  std::vector<views::GraphEdgeShade> edges = graphEdgeShades(*run_, flow_);
  legend_->setKeys(graphKeys(*run_, color, shades, edges, showsPath()));
  graph_->setShades(std::move(shades));
  graph_->setEdgeShades(std::move(edges));
}

bool GraphDock::showsPath() const {
  return !path_hidden_ && !selection_->path().sites.empty();
}

void GraphDock::showPath() {
  const LitPath path = showsPath() ? selection_->path() : LitPath{};
  hide_path_->setVisible(showsPath());
  std::vector<int> sites = path.sites;
  const bool leads_here = path.from >= 0 && std::find(sites.begin(), sites.end(), path.from) == sites.end();
  if (leads_here) sites.insert(sites.begin(), path.from);
  if (!stale_) graph_->setPath(sites, path.causes, path.backward);
  graph_->setSelected(selection_->sites());
  caption_->setText(path.sites.empty() ? QString()
                    : path.backward    ? tr("event path, backward")
                                       : tr("event path, forward"));
  if (!stale_) shade();  // the legend
}

}  // namespace binade::app
