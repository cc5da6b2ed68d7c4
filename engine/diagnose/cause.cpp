// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/cause.h"

#include "engine/diagnose/forward_causes.h"
#include "engine/diagnose/slope.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

namespace binade::diagnose {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Walks the executed nodes from the parameters back to where the first non-finite gradient was produced.
class BackwardCauses {
 public:
  /// `by_scale`: a lower loss scale is known to help.
  BackwardCauses(const Trace& trace, const ForwardCauses& forward, bool by_scale)
      : trace_(trace), forward_(forward), by_scale_(by_scale) {
    for (std::size_t n = 0; n < nodes().size(); ++n) {
      const TracedNode& node = nodes()[n];
      if (node.order < 0) continue;
      for (std::size_t i = 0; i < node.edges.size() && i < node.out.size(); ++i) {
        if (node.edges[i].node < 0 || node.out[i].count == 0) continue;
        givers_[{node.edges[i].node, node.edges[i].input}].push_back({static_cast<int>(n), i});
      }
    }
  }

  void find(Causes& causes) {
    std::deque<int> open;
    int nearest = -1;
    for (std::size_t n = 0; n < nodes().size(); ++n) {
      const TracedNode& node = nodes()[n];
      if (node.part != TracedNode::Part::kParameter || node.order < 0 || node.sum_finite) continue;
      causes.gradients_finite = false;
      if (nearest < 0 || node.order < nodes()[at(nearest)].order) nearest = static_cast<int>(n);
      open.push_back(static_cast<int>(n));
    }
    while (!open.empty()) {
      const int n = open.front();
      open.pop_front();
      if (visited_.insert(n).second) visit(n, open);
    }
    std::sort(found_.begin(), found_.end(), [&](const Cause& a, const Cause& b) { return order(a) < order(b); });
    std::set<int> seen;
    for (const Cause& cause : found_) add(cause, seen, causes.roots);
    if (causes.roots.empty()) return;
    const Cause& first = found_.front();
    const auto reached = end_of(first.node);
    causes.chain = path(first, reached.first);
    causes.ends = reached.first < 0 ? "" : nodes()[at(reached.first)].parameter;
    if (!causes.roots.front().backward && causes.roots.front().call >= 0) {
      causes.chain.insert(causes.chain.begin(), CauseLink{causes.roots.front().call, false, -1, -1});
    }
  }

 private:
  struct Giver {
    int node;
    std::size_t output;
  };

  const std::vector<TracedNode>& nodes() const { return trace_.nodes(); }
  int order(const Cause& cause) const { return nodes()[at(cause.node)].order; }

  static bool any_bad(const std::vector<observe::Values>& values) {
    return std::any_of(values.begin(), values.end(), [](const observe::Values& each) { return !each.finite(); });
  }

  void visit(int n, std::deque<int>& open) {
    const TracedNode& node = nodes()[at(n)];
    bool bad_in = false;
    for (std::size_t i = 0; i < node.in.size(); ++i) {
      if (node.in[i].finite()) continue;
      bad_in = true;
      bool inherited = false;
      const auto givers = givers_.find({n, i});
      if (givers != givers_.end()) {
        for (const Giver& giver : givers->second) {
          if (nodes()[at(giver.node)].out[giver.output].finite()) continue;
          inherited = true;
          open.push_back(giver.node);
        }
      }
      if (!inherited) note(n, Cause::Fault::kSum);
    }
    if (bad_in) return;
    const bool parameter = node.part == TracedNode::Part::kParameter;
    if (parameter && !node.sum_finite) {
      if (!was_bad_before(node)) note(n, Cause::Fault::kSum);
    } else if (any_bad(node.out)) {
      const std::vector<int> casts = by_scale_ ? overflowing_casts(n) : std::vector<int>{};
      for (const int cast : casts) note(cast, Cause::Fault::kOverflow);
      if (casts.empty()) note(n, Cause::Fault::kOverflow);
    }
  }

  /// Returns whether this node casts a gradient to a lower format that adds non-finite values.
  static bool overflows_in_cast(const TracedNode& node) {
    if (node.in.size() != 1 || node.out.size() != 1) return false;
    const observe::Values& in = node.in.front();
    const observe::Values& out = node.out.front();
    return is_low(out.dtype) && !is_low(in.dtype) && in.count == out.count &&
           out.nan + out.infinite() > in.nan + in.infinite();
  }
  static bool is_low(at::ScalarType dtype) { return dtype == at::kHalf || dtype == at::kBFloat16; }

  /// Returns the overflowing casts that a node's bad gradients reach through float32.
  std::vector<int> overflowing_casts(int start) const {
    std::vector<int> casts;
    std::set<int> seen;
    std::deque<int> open{start};
    while (!open.empty()) {
      const int n = open.front();
      open.pop_front();
      const TracedNode& node = nodes()[at(n)];
      if (node.order < 0 || !seen.insert(n).second) continue;
      if (overflows_in_cast(node)) casts.push_back(n);
      for (std::size_t i = 0; i < node.out.size() && i < node.edges.size(); ++i) {
        const bool goes_on = !node.out[i].finite() && !is_low(node.out[i].dtype) && node.edges[i].node >= 0;
        if (goes_on) open.push_back(node.edges[i].node);
      }
    }
    return casts;
  }

  /// Returns whether an earlier micro-batch already left the parameter's gradient non-finite, so that adding to it is
  /// no cause.
  bool was_bad_before(const TracedNode& node) const {
    return std::any_of(nodes().begin(), nodes().end(), [&](const TracedNode& other) {
      return other.part == TracedNode::Part::kParameter && other.parameter == node.parameter && other.order >= 0 &&
             other.order < node.order && !other.sum_finite;
    });
  }

  void note(int n, Cause::Fault fault) {
    const TracedNode& node = nodes()[at(n)];
    Cause cause;
    cause.fault = fault;
    cause.backward = true;
    cause.node = n;
    cause.call = node.call >= 0 ? node.call : call_below(n);
    cause.argument = node.argument;
    if (node.part == TracedNode::Part::kParameter) {
      cause.what = node.parameter;
    } else if (fault == Cause::Fault::kSum && node.part != TracedNode::Part::kCast) {
      cause.what = "output";
    } else if (node.part == TracedNode::Part::kOutside) {
      cause.what = "loss";
    } else {
      cause.what = argument_of(node);
    }
    cause.why = find_invalid_backward(trace_, cause);
    // Gradients of one call that meet in several nodes (a cast per argument) have one cause, the call.
    const auto same = [&](const Cause& other) {
      return other.call == cause.call && other.call >= 0 && other.fault == cause.fault && other.what == cause.what;
    };
    if (std::none_of(found_.begin(), found_.end(), same)) found_.push_back(std::move(cause));
  }

  std::string argument_of(const TracedNode& node) const {
    if (node.call < 0) return "output";
    const graph::Site& site = *trace_.calls()[at(node.call)].site;
    const auto cast_argument = [&site](const TracedNode& cast) {
      return cast.inside.empty() ? site.argument_names[cast.argument] : cast.inside;
    };
    if (node.part == TracedNode::Part::kCast) return cast_argument(node);
    // The edge of the bad gradient identifies the argument.
    for (std::size_t i = 0; i < node.out.size() && i < node.edges.size(); ++i) {
      if (node.out[i].finite() || node.edges[i].node < 0) continue;
      const TracedNode& next = nodes()[at(node.edges[i].node)];
      if (next.part == TracedNode::Part::kCast && next.call == node.call) return cast_argument(next);
    }
    for (std::size_t i = 0; i < site.inputs; ++i) {
      if (site.roles[i] == graph::Role::kData || site.roles[i] == graph::Role::kWeight) return site.argument_names[i];
    }
    return "output";
  }

  /// Returns the call whose result a node outside of all calls receives: that of the loss.
  int call_below(int n) const {
    std::set<int> seen;
    std::deque<int> open{n};
    while (!open.empty()) {
      const int id = open.front();
      open.pop_front();
      if (!seen.insert(id).second) continue;
      if (nodes()[at(id)].call >= 0) return nodes()[at(id)].call;
      for (const TracedNode::Edge& edge : nodes()[at(id)].edges) {
        if (edge.node >= 0) open.push_back(edge.node);
      }
    }
    return -1;
  }

  /// Adds the forward causes that this gradient met, or else the cause itself.
  void add(const Cause& cause, std::set<int>& seen, std::vector<Cause>& roots) const {
    std::vector<Cause> before;
    if (cause.call >= 0 && cause.fault != Cause::Fault::kSum) {
      const TracedCall& call = trace_.calls()[at(cause.call)];
      for (const TracedUse& use : call.uses) {
        if (forward_.is_bad(use.value)) forward_.collect(use.value, seen, before);
      }
      // The call's own infinity comes from good arguments. At a pole (log at 0, masked out) backward is the cause; for
      // a value that became too large, forward is.
      for (const int result : call.results) {
        if (!forward_.is_bad(result) || seen.contains(result)) continue;
        std::vector<Cause> own;
        forward_.collect(result, seen, own);
        std::erase_if(own, [](const Cause& each) { return each.fault == Cause::Fault::kInvalid; });
        before.insert(before.end(), own.begin(), own.end());
      }
    }
    if (before.empty()) {
      const bool known = std::any_of(roots.begin(), roots.end(), [&](const Cause& other) {
        return other.call == cause.call && other.backward && other.call >= 0;
      });
      if (!known) roots.push_back(cause);
    } else {
      roots.insert(roots.end(), before.begin(), before.end());
    }
  }

  /// Returns the nearest parameter whose gradient a bad one reaches, and each node's predecessor on the way.
  std::pair<int, std::map<int, int>> end_of(int start) const {
    std::map<int, int> before{{start, -1}};
    std::deque<int> open{start};
    while (!open.empty()) {
      const int n = open.front();
      open.pop_front();
      const TracedNode& node = nodes()[at(n)];
      if (node.part == TracedNode::Part::kParameter) return {n, before};
      for (std::size_t i = 0; i < node.edges.size() && i < node.out.size(); ++i) {
        const int next = node.edges[i].node;
        if (next < 0 || node.out[i].finite() || !before.emplace(next, n).second) continue;
        open.push_back(next);
      }
    }
    return {-1, before};
  }

  std::vector<CauseLink> path(const Cause& root, int end) const {
    std::vector<CauseLink> links;
    if (end < 0) return links;
    const auto before = end_of(root.node).second;
    for (int n = end; n >= 0; n = before.at(n)) {
      const int call = nodes()[at(n)].call;
      if (call >= 0 && (links.empty() || links.back().call != call)) links.push_back({call, true, -1, n});
    }
    if (links.empty() && root.call >= 0) links.push_back({root.call, true, -1, root.node});
    std::reverse(links.begin(), links.end());
    return links;
  }

  const Trace& trace_;
  const ForwardCauses& forward_;
  const bool by_scale_;
  std::map<std::pair<int, std::size_t>, std::vector<Giver>> givers_;
  std::set<int> visited_;
  std::vector<Cause> found_;
};

/// Keeps only the first of causes that repeat in several micro-batches.
void drop_repeated(const Trace& trace, std::vector<Cause>& roots) {
  std::set<std::tuple<const graph::Site*, int, Cause::Fault, bool, std::string>> seen;
  std::erase_if(roots, [&](const Cause& cause) {
    if (cause.call < 0) return false;
    const TracedCall& call = trace.calls()[at(cause.call)];
    return !seen.emplace(call.site, call.index, cause.fault, cause.backward, cause.what).second;
  });
}

/// Reports a requested infinity that reached the loss: the call that requested it, or the loss over classes whose
/// correct class is masked.
void find_intended(const Trace& trace, int loss, Causes& causes) {
  std::set<int> seen;
  std::vector<int> open{loss};
  int first = -1;
  while (!open.empty()) {
    const TracedValue& value = trace.values()[at(open.back())];
    open.pop_back();
    if (value.seen.finite() || value.origin != TracedValue::Origin::kCall || !seen.insert(value.call).second) continue;
    const TracedCall& call = trace.calls()[at(value.call)];
    if (call.in_float64 && call.in_float64->why.kind == InvalidOperation::Kind::kMaskedLabel) {
      Cause cause;
      cause.fault = Cause::Fault::kInvalid;
      cause.call = value.call;
      cause.what = "output";
      cause.why = call.in_float64->why;
      causes.roots.push_back(std::move(cause));
      causes.chain.push_back({value.call, false, -1, -1});
      return;
    }
    first = first < 0 ? value.call : std::min(first, value.call);
    for (const TracedUse& use : call.uses) open.push_back(use.value);
  }
  if (first < 0) return;
  Cause cause;
  cause.fault = Cause::Fault::kInvalid;
  cause.call = first;
  cause.what = "output";
  const TracedCall& call = trace.calls()[at(first)];
  cause.why.kind = call.infinite_number ? InvalidOperation::Kind::kAskedFor : InvalidOperation::Kind::kInfiniteArgument;
  for (const TracedUse& use : call.uses) {
    const observe::Values& seen = trace.values()[at(use.value)].seen;
    if (seen.infinite() == 0 || cause.why.of > 0) continue;
    cause.why.argument = call.site->argument_names[use.argument];
    cause.why.count = seen.infinite();
    cause.why.of = seen.count;
  }
  causes.roots.push_back(std::move(cause));
  causes.chain.push_back({first, false, -1, -1});
}

Causes find(const Trace& trace, bool by_scale) {
  Causes causes;
  const ForwardCauses forward(trace);
  std::set<int> seen;
  int reached = -1;
  for (const int loss : trace.losses()) {
    if (trace.values()[at(loss)].seen.finite()) continue;
    causes.loss_finite = false;
    if (forward.is_bad(loss)) {
      forward.collect(loss, seen, causes.roots);
      if (reached < 0) reached = loss;
    } else {
      find_intended(trace, loss, causes);
    }
  }
  if (causes.loss_finite) {
    BackwardCauses(trace, forward, by_scale).find(causes);
    drop_repeated(trace, causes.roots);
    return causes;
  }
  causes.gradients_finite = false;
  causes.ends = "loss";
  std::sort(causes.roots.begin(), causes.roots.end(), [](const Cause& a, const Cause& b) { return a.call < b.call; });
  drop_repeated(trace, causes.roots);
  // A tensor cast to the same format at several calls overflows in each; the earliest is the first cause.
  if (!causes.roots.empty() && reached >= 0) causes.chain = forward.path(causes.roots.front(), reached);
  return causes;
}

}  // namespace

Causes find_causes(const Trace& trace) {
  return find(trace, /*by_scale=*/false);
}

Causes find_causes_of(const Trace& trace, int value) {
  Causes causes;
  const ForwardCauses forward(trace);
  if (!forward.is_bad(value)) return causes;
  std::set<int> seen;
  forward.collect(value, seen, causes.roots);
  std::sort(causes.roots.begin(), causes.roots.end(), [](const Cause& a, const Cause& b) { return a.call < b.call; });
  drop_repeated(trace, causes.roots);
  if (!causes.roots.empty()) causes.chain = forward.path(causes.roots.front(), value);
  return causes;
}

Causes find_causes_of_scale(const Trace& trace) {
  return find(trace, /*by_scale=*/true);
}

}  // namespace binade::diagnose
