// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/attach.h"
#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/messages.h"
#include "engine/wire/observe_cost.h"
#include "engine/wire/profile.h"
#include "engine/wire/quantized.h"
#include "engine/wire/records.h"
#include "engine/wire/silent_fault.h"
#include "engine/wire/trial.h"
#include "engine/wire/type_list.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

// Everything that a run reports. A new notification is a struct, its fields() and one row of kNotifications; listeners,
// the queue to the explorer, the run file, encoding and decoding follow from the row.

namespace binade::wire {

/// What an explorer that reads too slowly loses of a notification. The run file loses nothing.
enum class WhenSlow : std::uint8_t {
  kKept,      ///< nothing
  kReplaced,  ///< a notification that directly follows another of its type replaces it, even if the explorer is fast
  kThinned,   ///< older ones lose their statistics; then every second older one is dropped
  kDropped,   ///< older ones are dropped, after steps have been thinned
};

/// How a notification is sent and kept.
struct Route {
  std::string_view method;  ///< of the JSON-RPC notification; empty: it never leaves the engine
  WhenSlow when_slow = WhenSlow::kKept;
  bool recorded = false;  ///< whether run files contain it
};

/// One row of the table: `Value` is what a run reports, `Params` what a message contains.
template <class Value, class Params = Value>
struct Row {
  using ValueType = Value;
  using ParamsType = Params;
  Route route;
};

inline constexpr bool kRecorded = true;
inline constexpr bool kNotRecorded = false;

// clang-format off
inline constexpr std::tuple kNotifications{
    Row<RunStarted>           {{"run.started", WhenSlow::kKept, kRecorded}},
    Row<StateChanged>         {{"run.state", WhenSlow::kReplaced, kNotRecorded}},
    Row<StepRecord, StepBatch>{{"run.steps", WhenSlow::kThinned, kRecorded}},
    Row<Event>                {{"run.event", WhenSlow::kDropped, kRecorded}},
    Row<Evaluated>            {{"run.evaluated", WhenSlow::kDropped, kRecorded}},
    Row<PolicyApplied>        {{"policy.applied", WhenSlow::kKept, kRecorded}},
    Row<ScalerChanged>        {{"run.scaler", WhenSlow::kKept, kRecorded}},
    Row<CheckpointInfo>       {{"run.checkpoint", WhenSlow::kKept, kRecorded}},
    // The next step is an earlier or a later one; reports about steps from there on are void.
    Row<Rewound>              {{"run.rewound", WhenSlow::kKept, kRecorded}},
    Row<LogLine>              {{"engine.log", WhenSlow::kDropped, kRecorded}},
    // Made by a listener from ProfileConfig and StepTimes, not by the run itself.
    Row<Profile>              {{"profiler.update", WhenSlow::kDropped, kRecorded}},
    // Costs of casts over some of the steps since the last report. The newest report of a policy revision counts.
    Row<CastLedger>           {{"run.casts", WhenSlow::kDropped, kRecorded}},
    // One step was compared with float32, on request or to confirm a suspected loss. The training is unchanged.
    Row<Float32Comparison>    {{"run.comparison", WhenSlow::kDropped, kRecorded}},
    // Effect of quantization on the operands of products with formats of their own; follows the step's StepRecord.
    Row<QuantizedStep>        {{"run.quantized", WhenSlow::kDropped, kRecorded}},
    // Reported when there is a new fault, periodically while the run is displayed live (ObserveConfig::live), and at
    // the end. The newest report describes the run.
    Row<SilentReport>         {{"run.silent", WhenSlow::kDropped, kRecorded}},
    // Made by another process, which adds it to the run file. The explorer receives it from that process.
    Row<Trial>                {{"", WhenSlow::kKept, kRecorded}},
    // Written in the explorer, which adds it to the run file.
    Row<Note>                 {{"", WhenSlow::kKept, kRecorded}},
    // Reported once the cost is known, then occasionally, and at the end.
    Row<ObserveCost>          {{"observe.cost", WhenSlow::kDropped, kNotRecorded}},
    Row<Finished>             {{"run.finished", WhenSlow::kKept, kRecorded}},
    // The profile settings from the next step on; reported at the start if the run is profiled.
    Row<ProfileConfig>        {{"", WhenSlow::kKept, kNotRecorded}},
    // Times of a profiled step; follows its StepRecord.
    Row<StepTimes>            {{"", WhenSlow::kKept, kNotRecorded}},
    // Made by the engine's end of a connection, not by the run: who is attached, and what a slow link left out.
    Row<Peers>                {{"attach.peers", WhenSlow::kReplaced, kNotRecorded}},
    Row<CaughtUp>             {{"attach.caught_up", WhenSlow::kKept, kNotRecorded}},
    Row<LinkMark>             {{"link.mark", WhenSlow::kReplaced, kNotRecorded}},
    Row<LinkDetail>           {{"link.detail", WhenSlow::kReplaced, kNotRecorded}},
};
// clang-format on

namespace table {

using Rows = std::remove_const_t<decltype(kNotifications)>;
inline constexpr auto kIndices = std::make_index_sequence<std::tuple_size_v<Rows>>{};

template <std::size_t I>
using RowAt = std::tuple_element_t<I, Rows>;

/// The row's index of a value or of a message's params; the table's size if there is none.
template <class T, std::size_t... I>
consteval std::size_t index_of(std::index_sequence<I...> /*rows*/) {
  std::size_t found = sizeof...(I);
  ((std::is_same_v<T, typename RowAt<I>::ValueType> || std::is_same_v<T, typename RowAt<I>::ParamsType> ? found = I
                                                                                                        : found),
   ...);
  return found;
}

template <bool Kept, class T>
using ListIf = std::conditional_t<Kept, TypeList<T>, TypeList<>>;
template <std::size_t I>
inline constexpr const Route& kRouteAt = std::get<I>(kNotifications).route;

template <std::size_t... I>
consteval auto reported(std::index_sequence<I...> /*rows*/) {
  return TypeList<typename RowAt<I>::ValueType...>{};
}
template <std::size_t... I>
consteval auto sent(std::index_sequence<I...> /*rows*/) {
  return (TypeList<>{} + ... + ListIf<!kRouteAt<I>.method.empty(), typename RowAt<I>::ValueType>{});
}
template <std::size_t... I>
consteval auto received(std::index_sequence<I...> /*rows*/) {
  return (TypeList<>{} + ... + ListIf<!kRouteAt<I>.method.empty(), typename RowAt<I>::ParamsType>{});
}
template <std::size_t... I>
consteval auto recorded(std::index_sequence<I...> /*rows*/) {
  return (TypeList<>{} + ... + ListIf<kRouteAt<I>.recorded, typename RowAt<I>::ValueType>{});
}

}  // namespace table

/// All types of the table.
using Reported = decltype(table::reported(table::kIndices));
/// Types that the engine sends to the explorer.
using Sent = decltype(table::sent(table::kIndices));
/// Params of the messages that the explorer receives: of steps a batch, of all else what was sent.
using Received = decltype(table::received(table::kIndices));
/// Types that run files contain.
using Recorded = decltype(table::recorded(table::kIndices));

/// The route of a type of the table, or of the params that stand for it.
template <class T>
requires OneOf<T, Reported> || OneOf<T, Received>
inline constexpr const Route& kRouteOf = table::kRouteAt<table::index_of<T>(table::kIndices)>;

using SentNotification = VariantOf<Sent>;
using RecordedNotification = VariantOf<Recorded>;
/// What the explorer receives of a run.
using RunNotification = VariantOf<Received>;

/// A reference to something that a run reports, so that no listener needs a copy. Valid only during the call that
/// passes it.
class NotificationRef {
 public:
  // Implicit: `listener.receive(wire::LogLine{"warning", text})`.
  template <OneOf<Reported> T>
  NotificationRef(const T& value) : value_(std::in_place_type<const T*>, &value) {}

  /// Calls `visitor` with the value.
  template <class Visitor>
  void visit(Visitor&& visitor) const {
    std::visit([&visitor](const auto* value) { visitor(*value); }, value_);
  }

  /// The value if it is a T, otherwise null.
  template <OneOf<Reported> T>
  const T* get_if() const {
    const auto* pointer = std::get_if<const T*>(&value_);
    return pointer == nullptr ? nullptr : *pointer;
  }

 private:
  VariantTypes<Reported>::ConstPointers value_;
};

/// Combines lambdas into one visitor.
template <class... Visitor>
struct Overloaded : Visitor... {
  using Visitor::operator()...;
};
template <class... Visitor>
Overloaded(Visitor...) -> Overloaded<Visitor...>;

}  // namespace binade::wire
