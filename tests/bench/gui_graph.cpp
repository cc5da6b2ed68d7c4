// SPDX-License-Identifier: Apache-2.0
//
// bench_gui_graph: frames of a graph with 2,000 visible boxes while it pans and zooms, painted offscreen, and the time
// of its layout. With a file name as argument it saves a picture of the graph there first.
#include "tests/bench/ratio.h"
#include "views/graph/module_graph.h"
#include "views/theme.h"
#include "views/values/colors.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace binade::bench {

namespace {

constexpr int kModules = 200;
constexpr int kCalls = 9;  // in each module: with the modules 2,000 boxes
constexpr int kChains = 20;
constexpr int kFrames = 240;
constexpr int kLayouts = 9;
constexpr double kFrameBar = 1000.0 / 60;  // ms
constexpr QSize kView{1280, 900};

struct Model {
  std::vector<views::GraphNode> nodes;
  std::vector<views::GraphEdge> edges;
};

/// Twenty chains of residual blocks: in each, two paths join at the block's last op call.
Model residual_model() {
  const char* const ops[] = {"conv2d", "batch_norm", "relu"};
  Model model;
  std::vector<int> ends(kChains, -1);
  for (int m = 0; m < kModules; ++m) {
    int& before = ends[static_cast<std::size_t>(m % kChains)];
    const int module = static_cast<int>(model.nodes.size());
    model.nodes.push_back({QStringLiteral("layer%1.%2").arg(m / 10).arg(m % 10), {}, -1, -1});
    int last = before;
    for (int c = 0; c < kCalls; ++c) {
      const int id = static_cast<int>(model.nodes.size());
      const QString op = QLatin1String(c + 1 == kCalls ? "add_" : ops[c % 3]);
      model.nodes.push_back({op + QString::number(c), op, module, id});
      if (last >= 0) model.edges.push_back({last, id, QStringLiteral("N × 64 × 56 × 56")});
      last = id;
    }
    if (before >= 0) model.edges.push_back({before, last, QStringLiteral("N × 64 × 56 × 56")});
    before = last;
  }
  return model;
}

void fill(views::ModuleGraph& graph) {
  const Model model = residual_model();
  graph.resize(kView);
  graph.setNodes(model.nodes, model.edges);
  graph.setAllFolded(false);
  std::vector<views::GraphShade> shades(model.nodes.size());
  for (std::size_t i = 0; i < shades.size(); ++i) {
    const QString format = i % 4 == 0 ? QStringLiteral("float32") : QStringLiteral("float16");
    shades[i].stripes = {views::formatColor(format)};
    shades[i].figure = format;
  }
  std::vector<views::GraphEdgeShade> edges(model.edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i].format = QStringLiteral("float16");
    edges[i].color = views::formatColor(edges[i].format);
    if (i % 4 == 0) edges[i].cast = QStringLiteral("float32 → float16");
  }
  graph.setShades(shades);
  graph.setEdgeShades(edges);
}

double milliseconds(const QElapsedTimer& timer) {
  return 1e-6 * static_cast<double>(timer.nsecsElapsed());
}

/// Times of frames, each after `move`, in ms.
template <class Move>
std::vector<double> frames(views::ModuleGraph& graph, const Move& move) {
  QImage screen(kView, QImage::Format_RGB32);
  std::vector<double> times;
  for (int frame = 0; frame < kFrames; ++frame) {
    QElapsedTimer timer;
    timer.start();
    move(frame);
    QPainter painter(&screen);
    graph.render(&painter);
    times.push_back(milliseconds(timer));
  }
  return times;
}

void print_frames(const char* what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const double slow = times[times.size() * 95 / 100];
  print_figure("gui.graph", what, exactly(slow), "ms", kFrameBar);
}

void measure(int argc, char** argv) {
  views::ModuleGraph graph;
  fill(graph);
  if (argc > 1 && !graph.savePng(QString::fromLocal8Bit(argv[1])))
    std::fprintf(stderr, "%s cannot be written\n", argv[1]);
  const QPointF middle(kView.width() / 2, kView.height() / 2);
  // Everything is visible: the worst case of what is painted.
  graph.fit();
  graph.grab();
  if (graph.painted().boxes < kModules * (kCalls + 1)) {
    print_not_measured("gui.graph", "95th percentile frame, all of 2,000 boxes visible", "failed",
                       std::to_string(graph.painted().boxes) + " boxes were painted");
  }
  print_frames("95th percentile frame, all of 2,000 boxes visible, zooming", frames(graph, [&](int frame) {
                 if (frame % 2 == 0) graph.fit();
                 graph.zoomBy(0.99, middle);
               }));
  graph.zoomBy(1 / graph.zoom(), middle);
  const auto pan = [&](int) { graph.verticalScrollBar()->setValue(graph.verticalScrollBar()->value() + 37); };
  print_frames("95th percentile frame, 2,000 boxes, panning with all texts", frames(graph, pan));
  graph.zoomBy(0.55, middle);
  print_frames("95th percentile frame, 2,000 boxes, panning with the smallest texts", frames(graph, pan));
  print_frames("95th percentile frame, 2,000 boxes, zooming through all levels of detail",
               frames(graph, [&](int frame) { graph.zoomBy(frame / 60 % 2 == 0 ? 0.95 : 1 / 0.95, middle); }));
  std::vector<double> layouts;
  for (int i = 0; i < kLayouts; ++i) {
    QElapsedTimer timer;
    graph.setLayouter([&](const views::LayoutInput& input, const auto& done) {
      timer.start();
      views::LayoutPlaces places = views::layOut(input);
      layouts.push_back(milliseconds(timer));
      done(std::move(places));
    });
    graph.setAllFolded(false);
  }
  print_figure("gui.graph", "layout of 2,000 boxes, beside the GUI thread", median_interval(layouts), "ms", 250);
}

}  // namespace

}  // namespace binade::bench

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  binade::views::applyTheme(app, binade::views::Theme::kLight);
  binade::bench::measure(argc, argv);
  return 0;
}
