// SPDX-License-Identifier: Apache-2.0
#include "app/window/arrangement.h"

#include "app/docks/dock.h"
#include "app/docks/tensor_dock.h"
#include "views/reason_card.h"

#include <QMainWindow>

#include <algorithm>
#include <vector>

namespace binade::app {

namespace {

// Heights of what surrounds the docks. The time line may be shown only after them, and would then take its height from
// one of them.
constexpr int kBarsHigh = 100;
constexpr int kTimeLineHigh = 36;

// Docks tabbed in one place; the first shown one is in front.
struct Tabs {
  std::vector<const char*> shown;
  std::vector<const char*> hidden;
};

class Arranger {
 public:
  Arranger(QMainWindow* window, const QList<Dock*>& docks, bool time_line) : window_(window), docks_(docks) {
    for (Dock* dock : docks_) {
      dock->setFloating(false);
      window_->removeDockWidget(dock);
    }
    window_->setCorner(Qt::TopLeftCorner, Qt::TopDockWidgetArea);
    window_->setCorner(Qt::TopRightCorner, Qt::TopDockWidgetArea);
    window_->setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    window_->setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    wide_ = std::max(window_->width(), 800);
    high_ = std::max(window_->height() - kBarsHigh - (time_line ? kTimeLineHigh : 0), 600);
  }

  Dock* dock(const char* id) const {
    const auto found = std::find_if(docks_.begin(), docks_.end(),
                                    [id](const Dock* each) { return each->objectName() == QLatin1String(id); });
    return found == docks_.end() ? nullptr : *found;
  }
  void place(const char* id, Qt::DockWidgetArea area) { window_->addDockWidget(area, dock(id)); }
  void split(const char* first, const char* second, Qt::Orientation way) {
    window_->splitDockWidget(dock(first), dock(second), way);
  }
  void tabs(const Tabs& group) {
    Dock* before = dock(group.shown.front());
    for (std::size_t i = 1; i < group.shown.size(); ++i) before = join(before, group.shown[i]);
    for (const char* id : group.hidden) before = join(before, id);
    // Before show(): with both titles and tabs the docks would need more height than a small screen has, and the window
    // would grow.
    for (const char* id : group.shown) dock(id)->setTabbed(group.shown.size() > 1);
    for (const char* id : group.shown) dock(id)->show();
    for (const char* id : group.hidden) dock(id)->hide();
    front_.push_back(dock(group.shown.front()));
  }
  /// The card that stands for the tensor-core curve leaves the loss scale its height in a low window.
  void fitCard() const {
    if (const auto* tensor = qobject_cast<TensorDock*>(dock("tensorCores")))
      tensor->card()->arrangeFor(window_->height());
  }
  /// Set sizes as percentages of the window.
  void widths(const std::vector<std::pair<const char*, int>>& parts) { sizes(parts, wide_, Qt::Horizontal); }
  void heights(const std::vector<std::pair<const char*, int>>& parts) { sizes(parts, high_, Qt::Vertical); }
  void raise() {
    for (Dock* each : front_) each->raise();
  }

 private:
  Dock* join(Dock* before, const char* id) {
    Dock* next = dock(id);
    window_->tabifyDockWidget(before, next);
    return next;
  }
  void sizes(const std::vector<std::pair<const char*, int>>& parts, int whole, Qt::Orientation way) {
    QList<QDockWidget*> docks;
    QList<int> sizes;
    for (const auto& [id, percent] : parts) {
      docks << dock(id);
      sizes << whole * percent / 100;
    }
    window_->resizeDocks(docks, sizes, way);
  }

  QMainWindow* window_;
  const QList<Dock*>& docks_;
  std::vector<Dock*> front_;
  int wide_ = 0;
  int high_ = 0;
};

// Two columns above, one row below.
void arrangeExplore(Arranger& a) {
  a.place("lossScale", Qt::LeftDockWidgetArea);
  a.split("lossScale", "gradients", Qt::Horizontal);
  a.split("lossScale", "loss", Qt::Vertical);
  a.place("opCalls", Qt::BottomDockWidgetArea);
  a.tabs({{"lossScale"}, {"tensorCores"}});
  a.tabs({{"loss", "learningRate", "gradientNorm", "stepTime"}, {"ranks"}});
  a.tabs({{"gradients", "graph", "configuration"}, {"eventInspector", "device", "lesson", "figure"}});
  a.tabs({{"opCalls", "overflowEvents", "checkpoints", "log", "numbers"},
          {"comparison", "castLedger", "quantized", "whatIf", "profile", "updates", "try", "search", "history", "edits",
           "changes", "notes", "secondRun", "silentFaults"}});
  a.widths({{"lossScale", 58}, {"gradients", 42}});
  a.heights({{"lossScale", 58}, {"opCalls", 42}});
  a.heights({{"lossScale", 34}, {"loss", 24}});
}

// The graph on the left; above, op calls and the search, whose chart and list need the width; below them what an edit
// costs, what it does to the loss, and what was done.
void arrangeTune(Arranger& a) {
  a.place("graph", Qt::LeftDockWidgetArea);
  a.split("graph", "opCalls", Qt::Horizontal);
  a.split("opCalls", "castLedger", Qt::Vertical);
  a.split("castLedger", "try", Qt::Horizontal);
  a.split("try", "history", Qt::Horizontal);
  a.tabs({{"graph"}, {"configuration", "device", "lesson"}});
  a.tabs({{"opCalls", "search", "overflowEvents", "gradients", "numbers"},
          {"eventInspector", "profile", "lossScale", "loss", "gradientNorm", "stepTime", "ranks", "learningRate",
           "tensorCores", "silentFaults", "figure"}});
  a.tabs(
      {{"castLedger"}, {"quantized", "whatIf", "comparison", "checkpoints", "log", "updates", "notes", "secondRun"}});
  a.tabs({{"try"}, {}});
  a.tabs({{"history", "edits", "changes"}, {}});
  a.widths({{"graph", 28}, {"opCalls", 72}});
  a.widths({{"castLedger", 28}, {"try", 26}, {"history", 18}});
  a.heights({{"opCalls", 49}, {"castLedger", 51}});
}

// The four questions at the top; below them the events, the chosen event, and its place in the graph.
void arrangeDiagnose(Arranger& a) {
  a.place("questions", Qt::TopDockWidgetArea);
  a.place("overflowEvents", Qt::LeftDockWidgetArea);
  a.split("overflowEvents", "eventInspector", Qt::Horizontal);
  a.split("eventInspector", "graph", Qt::Horizontal);
  a.split("graph", "lossScale", Qt::Vertical);
  a.tabs({{"questions"}, {}});
  a.tabs({{"overflowEvents"}, {"log"}});
  a.tabs({{"eventInspector", "silentFaults", "comparison", "updates", "opCalls"},
          {"castLedger", "quantized", "whatIf", "profile", "try", "search", "history", "edits", "changes", "notes",
           "secondRun", "lesson", "figure", "checkpoints"}});
  a.tabs({{"graph", "gradients", "numbers"}, {"configuration", "device"}});
  a.tabs({{"lossScale", "loss", "gradientNorm"}, {"learningRate", "stepTime", "ranks", "tensorCores"}});
  a.widths({{"overflowEvents", 20}, {"eventInspector", 46}, {"graph", 34}});
  a.heights({{"graph", 58}, {"lossScale", 42}});
}

// Tensor-core curve above the loss scale on one axis, the device next to them, op calls below. The two charts share the
// height that the op calls leave, so docks that need height have their place below or at the side.
void arrangeProfile(Arranger& a) {
  a.fitCard();
  a.place("tensorCores", Qt::LeftDockWidgetArea);
  a.split("tensorCores", "device", Qt::Horizontal);
  a.split("tensorCores", "lossScale", Qt::Vertical);
  a.place("profile", Qt::BottomDockWidgetArea);
  a.tabs({{"tensorCores"}, {}});
  a.tabs({{"lossScale", "stepTime"}, {"loss", "learningRate", "gradientNorm"}});
  a.tabs({{"device", "graph"}, {"gradients", "configuration", "eventInspector", "lesson"}});
  a.tabs({{"profile", "castLedger", "opCalls", "numbers"},
          {"overflowEvents", "comparison", "quantized", "whatIf", "checkpoints", "log", "updates", "try", "search",
           "history", "edits", "changes", "notes", "secondRun", "ranks", "silentFaults", "figure"}});
  a.widths({{"tensorCores", 72}, {"device", 28}});
  a.heights({{"tensorCores", 57}, {"profile", 43}});
  a.heights({{"tensorCores", 31}, {"lossScale", 26}});
}

// The lesson on the left; its figures and the charts of its experiments on the right.
void arrangeLearn(Arranger& a) {
  a.place("lesson", Qt::LeftDockWidgetArea);
  a.split("lesson", "figure", Qt::Horizontal);
  a.tabs({{"lesson"}, {"configuration"}});
  a.tabs({{"figure", "loss", "lossScale", "gradients", "opCalls", "eventInspector", "numbers"},
          {"castLedger", "quantized", "whatIf",    "overflowEvents", "silentFaults", "graph",
           "comparison", "log",       "try",       "search",         "history",      "edits",
           "changes",    "notes",     "ranks",     "checkpoints",    "profile",      "tensorCores",
           "device",     "updates",   "secondRun", "learningRate",   "gradientNorm", "stepTime"}});
  a.widths({{"lesson", 32}, {"figure", 68}});
}

}  // namespace

QString arrangementName(Arrangement which) {
  switch (which) {
    case Arrangement::kExplore:
      return QStringLiteral("explore");
    case Arrangement::kTune:
      return QStringLiteral("tune");
    case Arrangement::kDiagnose:
      return QStringLiteral("diagnose");
    case Arrangement::kProfile:
      return QStringLiteral("profile");
    case Arrangement::kLearn:
      return QStringLiteral("learn");
  }
  return {};
}

void arrange(QMainWindow* window, const QList<Dock*>& docks, Arrangement which) {
  Arranger arranger(window, docks, which != Arrangement::kLearn);
  switch (which) {
    case Arrangement::kExplore:
      arrangeExplore(arranger);
      break;
    case Arrangement::kTune:
      arrangeTune(arranger);
      break;
    case Arrangement::kDiagnose:
      arrangeDiagnose(arranger);
      break;
    case Arrangement::kProfile:
      arrangeProfile(arranger);
      break;
    case Arrangement::kLearn:
      arrangeLearn(arranger);
      break;
  }
  // The questions are a row above all others. A dock without a place is docked hidden, so that the View menu can show
  // it; its height would then be added to the window's.
  for (Dock* dock : docks) {
    if (window->dockWidgetArea(dock) != Qt::NoDockWidgetArea) continue;
    const bool questions = dock->objectName() == QLatin1String("questions");
    window->addDockWidget(questions ? Qt::TopDockWidgetArea : Qt::BottomDockWidgetArea, dock);
    dock->hide();
  }
  arranger.raise();
}

}  // namespace binade::app
