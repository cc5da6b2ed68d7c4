// SPDX-License-Identifier: Apache-2.0
#include "app/docks/graph_dock.h"

#include "app/docks/empty_state.h"
#include "app/present/call_counts.h"
#include "views/style/looks.h"
#include "views/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace binade::app {

GraphDock::GraphDock(RunModel* run, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("graph"), tr("Graph"), parent),
      run_(run),
      selection_(selection),
      graph_(new views::ModuleGraph),
      color_(new QComboBox),
      caption_(new QLabel),
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
  views::setTone(caption_, views::Tone::kCrimson);
  row->addWidget(color_);
  row->addStretch();
  row->addWidget(caption_);
  column->addWidget(header);
  column->addWidget(graph_, 1);
  empty_ = new EmptyState(page, tr("No model yet."), tr("The modules of a model appear here when its run starts."));
  setWidget(empty_);
  connect(color_, &QComboBox::currentIndexChanged, this, &GraphDock::refresh);
  connect(graph_, &views::ModuleGraph::activated, selection_, &Selection::setSites);
  connect(selection_, &Selection::sitesChanged, graph_, &views::ModuleGraph::setSelected);
  connect(selection_, &Selection::pathChanged, this, &GraphDock::showPath);
  connect(run_, &RunModel::reset, this, &GraphDock::rebuild);
  connect(run_, &RunModel::frame, this, [this] {
    if (isVisible()) refresh();
  });
  connect(views::themeEvents(), &views::ThemeEvents::themeChanged, this, &GraphDock::refresh);
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) refresh();
  });
  rebuild();
}

void GraphDock::rebuild() {
  executed_ = callCounts(*run_).executed;
  nodes_ = graphNodes(*run_);
  empty_->setEmpty(nodes_.empty());
  graph_->setNodes(nodes_);
  graph_->setShades(graphShades(*run_, nodes_, static_cast<GraphColor>(color_->currentData().toInt())));
  showPath();
}

void GraphDock::refresh() {
  // The executed op calls are known after the first steps, and more exactly once they are timed.
  if (callCounts(*run_).executed != executed_) return rebuild();
  graph_->setShades(graphShades(*run_, nodes_, static_cast<GraphColor>(color_->currentData().toInt())));
}

void GraphDock::showPath() {
  const LitPath& path = selection_->path();
  graph_->setPath(path.sites, path.causes);
  graph_->setSelected(selection_->sites());
  caption_->setText(path.sites.empty() ? QString()
                    : path.backward    ? tr("path of the event, backward")
                                       : tr("path of the event, forward"));
}

}  // namespace binade::app
