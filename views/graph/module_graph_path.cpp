// SPDX-License-Identifier: Apache-2.0
// The path of an event on the edges of a ModuleGraph.
#include "views/graph/module_graph.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

namespace binade::views {

// The shortest way along the edges between two shown nodes, both included; empty: there is none.
std::vector<int> ModuleGraph::walk(int from, int to, bool backward) const {
  std::vector<std::vector<int>> next(picture_.shown.size());
  for (const Link& link : picture_.links) {
    const int start = picture_.row_of[static_cast<std::size_t>(backward ? link.to : link.from)];
    const int end = picture_.row_of[static_cast<std::size_t>(backward ? link.from : link.to)];
    next[static_cast<std::size_t>(start)].push_back(end);
  }
  const int start = picture_.row_of[static_cast<std::size_t>(from)];
  const int end = picture_.row_of[static_cast<std::size_t>(to)];
  std::vector<int> came(next.size(), -1);
  std::deque<int> waiting{start};
  came[static_cast<std::size_t>(start)] = start;
  while (!waiting.empty() && came[static_cast<std::size_t>(end)] < 0) {
    const int row = waiting.front();
    waiting.pop_front();
    for (const int each : next[static_cast<std::size_t>(row)]) {
      if (came[static_cast<std::size_t>(each)] >= 0) continue;
      came[static_cast<std::size_t>(each)] = row;
      waiting.push_back(each);
    }
  }
  std::vector<int> nodes;
  if (came[static_cast<std::size_t>(end)] < 0) return nodes;
  for (int row = end; row != start; row = came[static_cast<std::size_t>(row)])
    nodes.push_back(picture_.shown[static_cast<std::size_t>(row)]);
  nodes.push_back(from);
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

// A path names the op calls that have the fault. Calls between them, which only pass it on, follow from the edges.
void ModuleGraph::findPathEdges() {
  lit_edges_.clear();
  bare_edges_.clear();
  lit_links_.assign(picture_.links.size(), false);
  std::vector<int> stops;
  for (const int node : path_) {
    const int shown = standIn(node);
    if (picture_.row_of[static_cast<std::size_t>(shown)] < 0) continue;
    if (stops.empty() || stops.back() != shown) stops.push_back(shown);
  }
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    std::vector<int> nodes = walk(stops[i], stops[i + 1], backward_);
    if (nodes.empty()) nodes = {stops[i], stops[i + 1]};
    for (std::size_t n = 0; n + 1 < nodes.size(); ++n) lit_edges_.emplace_back(nodes[n], nodes[n + 1]);
  }
  std::set<std::pair<int, int>> bare(lit_edges_.begin(), lit_edges_.end());
  const std::set<std::pair<int, int>> lit = bare;
  for (std::size_t l = 0; l < picture_.links.size(); ++l) {
    const std::pair<int, int> ends(backward_ ? picture_.links[l].to : picture_.links[l].from,
                                   backward_ ? picture_.links[l].from : picture_.links[l].to);
    lit_links_[l] = lit.contains(ends);
    bare.erase(ends);
  }
  bare_edges_.assign(bare.begin(), bare.end());
}

}  // namespace binade::views
