// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/cell_model.h"

#include <QList>
#include <QString>

#include <cstdint>
#include <optional>

namespace binade::app {

/// One entry of a run's history: an edit, a rewind or a Try. A plain value.
struct HistoryEntry {
  enum class Kind : std::uint8_t { kStart, kEdit, kScaler, kRewind, kTry };
  Kind kind = Kind::kEdit;
  qlonglong id = 0;        ///< the same for as long as the run is shown
  QString title;           ///< `layer4: 3 × aten::conv2d`
  QString format;          ///< that it gives to op calls; empty: none, or several
  QString facts;           ///< `step 1,800, undone at step 1,900`
  int revision = -1;       ///< newest one of its policy; -1: no edit of the policy, or it waits
  std::int64_t step = 0;   ///< from which on it counts
  std::int64_t since = 0;  ///< from which on `revision` counts; after a redo later than `step`
  bool undone = false;     ///< an earlier policy came back into force since
  bool in_force = false;   ///< its policy is the one in force at the shown step, or after the end the next run's
  bool waits = false;      ///< made after the run's end: it takes effect in the next run
  bool warns = false;      ///< a rule matches nothing
  std::optional<wire::TrialVerdict> verdict;  ///< of the newest Try of its policy
  std::optional<std::int64_t> worse_from;     ///< the step that the verdict names
  std::optional<policy::Policy> policy;       ///< in force since, or tried; nullopt: it says nothing about the policy
  std::optional<policy::Policy> against;      ///< what its policy was compared with or replaced
  int trial = -1;                             ///< index in RunModel::trials(), of a Try
  QString checkpoint;                         ///< the training's state at `step`; empty: none was saved
  bool elsewhere = false;                     ///< the checkpoint is on another computer, the engine's
};

/// Everything done to a run, newest first. An edit that was undone stays, marked; an undo or a redo is no entry of its
/// own. Rewinds remove nothing. `edited`: the policy of the document; if it differs from that of an ended run, it is
/// one more edit, or an undo. null: there is no document.
QList<HistoryEntry> historyOf(const RunModel& run, const policy::Policy* edited = nullptr);

/// The entries as rows of one cell each, for the timeline. Ids are those of the entries.
QList<CellRow> historyRows(const QList<HistoryEntry>& entries);

/// Whether the entry's checkpoint exists. One on another computer is taken to exist: the engine says if it does not.
bool hasCheckpoint(const HistoryEntry& entry);

}  // namespace binade::app
