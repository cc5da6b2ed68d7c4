// SPDX-License-Identifier: Apache-2.0
#include "engine/search/groups.h"

#include "engine/search/candidate_text.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace binade::search {

namespace {

constexpr double kLeastRisk = 1e-6;  ///< so that no risk does not make the smallest saving infinitely attractive

/// Module path of an op call, without method; empty for the root.
std::string path_in(const std::string& call) {
  const std::size_t slash = call.rfind('/');
  const std::string path = slash == std::string::npos ? std::string() : call.substr(0, slash);
  return path.substr(0, path.rfind("::"));
}

/// Op of an op call, with namespace.
std::string op_in(const std::string& call) {
  const std::size_t slash = call.rfind('/');
  const std::string op = slash == std::string::npos ? call : call.substr(slash + 1);
  return op.substr(0, op.rfind('#'));
}

/// What candidates of one group have in common. `path` and `op` are empty where they may differ.
struct GroupKind {
  Chance chance = Chance::kSafe;
  bool raises = false;
  std::string format;
  std::string path;
  std::string op;
  friend auto operator<=>(const GroupKind&, const GroupKind&) = default;
};

GroupKind kind_of(const Candidate& candidate, const std::string& call) {
  GroupKind kind{candidate.chance, candidate.raises, formats::name(candidate.format), {}, {}};
  if (candidate.chance != Chance::kSafe) kind.op = op_in(call);
  if (candidate.chance == Chance::kUnlikely) kind.path = path_in(call);
  return kind;
}

std::string common_text(const GroupKind& kind) {
  const std::string what =
      (kind.op.empty() ? "" : " to " + kind.op) + (kind.path.empty() ? "" : " in " + kind.path) + " in " + kind.format;
  if (kind.raises) return what + ", which removes casts.";
  switch (kind.chance) {
    case Chance::kSafe:
      return what + ", which one step shows to be safe.";
    case Chance::kDoubtful:
      return what + ", although one step shows errors or little range.";
    case Chance::kUnlikely:
      break;
  }
  return what + ", although values overflowed or were lost in one step.";
}

}  // namespace

std::string Group::sentence() const {
  const std::string part = members.size() == whole ? "" : std::to_string(members.size()) + " of ";
  return "Tries " + part + op_calls(whole) + common;
}

std::vector<Group> groups_of(const Order& order, const StepEvidence& evidence,
                             const std::vector<Candidate>& candidates) {
  std::map<GroupKind, Changes> kinds;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    kinds[kind_of(candidates[i], evidence.calls[candidates[i].call].call)].push_back(i);
  }
  struct Ranked {
    std::tuple<Chance, double, std::uint64_t> rank;
    Group group;
  };
  std::vector<Ranked> ranked;
  for (auto& [kind, members] : kinds) {
    double saving = 0;
    double risk = kLeastRisk;
    for (const std::size_t i : members) {
      saving += candidates[i].saving;
      risk += candidates[i].risk;
    }
    // Safe groups come by saving alone: their risk is that of rounding.
    const double merit = kind.chance == Chance::kSafe ? saving : saving / risk;
    const std::uint64_t tie = tie_break(order.seed, candidates[members.front()].call);
    const std::size_t count = members.size();
    ranked.push_back({{kind.chance, -merit, tie}, {std::move(members), count, common_text(kind)}});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
  std::vector<Group> groups;
  for (Ranked& each : ranked) groups.push_back(std::move(each.group));
  return groups;
}

Changes by_risk(const Order& order, const std::vector<Candidate>& candidates, const Changes& members) {
  Changes ordered = members;
  const auto rank = [&](std::size_t i) {
    const Candidate& candidate = candidates[i];
    return std::make_tuple(-static_cast<int>(candidate.chance), -candidate.risk, tie_break(order.seed, candidate.call));
  };
  std::stable_sort(ordered.begin(), ordered.end(), [&rank](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return ordered;
}

std::vector<Group> split_by_place(const std::vector<Candidate>& candidates, const Group& group) {
  Changes ordered = group.members;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [&candidates](std::size_t a, std::size_t b) { return candidates[a].call < candidates[b].call; });
  const auto middle = ordered.begin() + static_cast<std::ptrdiff_t>((ordered.size() + 1) / 2);
  std::vector<Group> parts{{Changes(ordered.begin(), middle), group.whole, group.common},
                           {Changes(middle, ordered.end()), group.whole, group.common}};
  for (Group& part : parts) std::sort(part.members.begin(), part.members.end());
  return parts;
}

}  // namespace binade::search
