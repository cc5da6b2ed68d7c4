// SPDX-License-Identifier: Apache-2.0
#include "views/graph/dot_text.h"

#include <QList>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace binade::views {

namespace {

constexpr double kInch = 72;
constexpr double kFarthest = 1e7;  // px; Qt draws nothing beyond

QByteArray inches(double pixels) {
  return QByteArray::number(pixels / kInch, 'f', 4);
}

/// Reads the words of one line as numbers.
class PlainWords {
 public:
  explicit PlainWords(const QByteArray& line) : words_(line.simplified().split(' ')) {}

  QByteArray word() { return next_ < words_.size() ? words_[next_++] : QByteArray(); }
  /// px
  double length() {
    bool good = false;
    const double value = word().toDouble(&good) * kInch;
    good_ = good_ && good && std::abs(value) < kFarthest;
    return value;
  }
  int index() {
    QByteArray name = word();
    if (name.startsWith('n')) name.remove(0, 1);
    bool good = false;
    const int value = name.toInt(&good);
    good_ = good_ && good && value >= 0;
    return value;
  }
  bool good() const { return good_; }

 private:
  QList<QByteArray> words_;
  qsizetype next_ = 0;
  bool good_ = true;
};

/// Open boxes enclose what they contain.
void encloseContents(const LayoutInput& input, LayoutPlaces& places) {
  for (std::size_t i = input.boxes.size(); i-- > 0;) {
    const LayoutBox& box = input.boxes[i];
    QRectF& rect = places.boxes[i];
    if (box.open) {
      rect.adjust(-kModulePadding, -kModulePadding - kModuleTitle, kModulePadding, kModulePadding);
      const double lacking = box.size.width() - rect.width();
      if (lacking > 0) rect.adjust(-lacking / 2, 0, lacking / 2, 0);
    }
    if (box.parent >= 0) places.boxes[static_cast<std::size_t>(box.parent)] |= rect;
  }
}

}  // namespace

QByteArray dotText(const LayoutInput& input) {
  QByteArray text =
      "digraph {\n graph [nodesep=0.3 ranksep=0.4 splines=spline]\n node [shape=box fixedsize=true label=\"\"]\n"
      " edge [arrowhead=none]\n";
  std::vector<int> open;  // clusters that are not closed yet
  for (std::size_t i = 0; i < input.boxes.size(); ++i) {
    const LayoutBox& box = input.boxes[i];
    while (!open.empty() && open.back() != box.parent) {
      text += "}\n";
      open.pop_back();
    }
    const QByteArray number = QByteArray::number(static_cast<qulonglong>(i));
    if (box.open) {
      // The label keeps room for the title.
      text += "subgraph cluster_" + number + " {\n graph [margin=12 label=\" \" fontsize=20]\n";
      open.push_back(static_cast<int>(i));
    } else {
      text += " n" + number + " [width=" + inches(box.size.width()) + " height=" + inches(box.size.height()) + "]\n";
    }
  }
  for (std::size_t i = 0; i < open.size(); ++i) text += "}\n";
  for (const LayoutEdge& edge : input.edges)
    text += " n" + QByteArray::number(edge.from) + " -> n" + QByteArray::number(edge.to) + "\n";
  return text + "}\n";
}

std::optional<LayoutPlaces> readPlain(const QByteArray& text, const LayoutInput& input) {
  LayoutPlaces places;
  places.boxes.resize(input.boxes.size());
  places.edges.resize(input.edges.size());
  places.curved = true;
  std::map<std::pair<int, int>, std::size_t> edges;
  for (std::size_t i = 0; i < input.edges.size(); ++i) edges[{input.edges[i].from, input.edges[i].to}] = i;
  double high = -1;
  bool ended = false;
  for (const QByteArray& line : text.split('\n')) {
    PlainWords words(line);
    const QByteArray kind = words.word();
    if (kind == "graph") {
      words.word();  // scale
      words.word();  // width
      high = words.length();
    } else if (kind == "node") {
      const auto box = static_cast<std::size_t>(words.index());
      const double x = words.length();
      const double y = words.length();
      if (!words.good() || high < 0 || box >= input.boxes.size() || input.boxes[box].open) return std::nullopt;
      const QSizeF size = input.boxes[box].size;
      places.boxes[box] = {{x - size.width() / 2, high - y - size.height() / 2}, size};
    } else if (kind == "edge") {
      const int from = words.index();
      const int to = words.index();
      const int points = words.index();
      const auto edge = edges.find({from, to});
      if (!words.good() || high < 0 || edge == edges.end() || points < 4 || points % 3 != 1 || points > line.size())
        return std::nullopt;
      std::vector<QPointF>& route = places.edges[edge->second];
      route.clear();
      for (int i = 0; i < points; ++i) {
        const double x = words.length();
        const double y = words.length();
        route.emplace_back(x, high - y);
      }
    } else if (kind == "stop") {
      ended = true;
    } else if (!kind.isEmpty()) {
      return std::nullopt;
    }
    if (!words.good()) return std::nullopt;
  }
  if (!ended) return std::nullopt;
  for (std::size_t i = 0; i < input.boxes.size(); ++i) {
    if (!input.boxes[i].open && places.boxes[i].isEmpty()) return std::nullopt;
  }
  for (std::size_t i = 0; i < input.edges.size(); ++i) {
    if (places.edges[i].empty() && input.edges[i].from != input.edges[i].to) return std::nullopt;
  }
  encloseContents(input, places);
  QRectF whole;
  for (const QRectF& box : places.boxes) whole |= box;
  for (const auto& route : places.edges) {
    for (const QPointF point : route) whole |= QRectF(point - QPointF(1, 1), QSizeF(2, 2));
  }
  for (QRectF& box : places.boxes) box.translate(-whole.topLeft());
  for (auto& route : places.edges) {
    for (QPointF& point : route) point -= whole.topLeft();
  }
  places.size = whole.size();
  return places;
}

}  // namespace binade::views
