// SPDX-License-Identifier: Apache-2.0
#include "tests/tree/layers.h"

using namespace Qt::StringLiterals;

namespace binade::test {

const QList<Layer>& layers() {
  static const QList<Layer> rows = {
      {.folder = u"engine/formats"_s},
      {.folder = u"engine/confine"_s, .uses = {u"engine/formats"_s}},
      {.folder = u"engine/numbers"_s, .uses = {u"engine/formats"_s}},
      {.folder = u"engine/scaled"_s, .uses = {u"engine/formats"_s}},
      {.folder = u"engine/policy"_s, .uses = {u"engine/scaled"_s}},
      {.folder = u"engine/policy_tools"_s, .uses = {u"engine/policy"_s}},
      {.folder = u"engine/lessons"_s, .uses = {u"engine/numbers"_s, u"engine/policy"_s}},
      {.folder = u"engine/wire"_s, .uses = {u"engine/policy"_s}},
      {.folder = u"engine/words"_s, .uses = {u"engine/wire"_s}},
      {.folder = u"engine/record"_s, .uses = {u"engine/words"_s, u"engine/confine"_s}},
      {.folder = u"engine/interchange"_s, .uses = {u"engine/record"_s}},
      {.folder = u"engine/report"_s, .uses = {u"engine/record"_s}},
      {.folder = u"engine/silent"_s, .uses = {u"engine/wire"_s}},
      {.folder = u"engine/search"_s, .uses = {u"engine/words"_s}},
      {.folder = u"engine/targets"_s, .uses = {u"engine/wire"_s}},
      {.folder = u"engine/zip"_s, .uses = {u"engine/formats"_s}},
      {.folder = u"engine/graph"_s, .uses = {u"engine/policy"_s, u"engine/zip"_s, u"engine/confine"_s}, .torch = true},
      {.folder = u"engine/autocast"_s, .uses = {u"engine/graph"_s}, .torch = true},
      {.folder = u"engine/scaler"_s, .torch = true},
      {.folder = u"engine/apex"_s, .uses = {u"engine/autocast"_s, u"engine/scaler"_s}, .torch = true},
      {.folder = u"engine/observe"_s, .uses = {u"engine/graph"_s}, .torch = true},
      {.folder = u"engine/files"_s, .uses = {u"engine/graph"_s, u"engine/zip"_s, u"engine/confine"_s}, .torch = true},
      {.folder = u"engine/batches"_s, .uses = {u"engine/files"_s, u"engine/wire"_s}, .torch = true},
      {.folder = u"engine/train"_s,
       .uses = {u"engine/autocast"_s, u"engine/scaler"_s, u"engine/observe"_s, u"engine/batches"_s},
       .torch = true},
      {.folder = u"engine/ranks"_s, .uses = {u"engine/train"_s}, .torch = true},
      {.folder = u"engine/checkpoint"_s, .uses = {u"engine/train"_s}, .torch = true},
      {.folder = u"engine/evidence"_s, .uses = {u"engine/train"_s, u"engine/silent"_s}, .torch = true},
      {.folder = u"engine/casts"_s, .uses = {u"engine/train"_s, u"engine/words"_s}, .torch = true},
      {.folder = u"engine/compare"_s, .uses = {u"engine/train"_s}, .torch = true},
      {.folder = u"engine/diagnose"_s,
       .uses = {u"engine/checkpoint"_s, u"engine/silent"_s, u"engine/words"_s},
       .torch = true},
      {.folder = u"engine/run"_s,
       .uses = {u"engine/casts"_s, u"engine/compare"_s, u"engine/diagnose"_s, u"engine/evidence"_s, u"engine/ranks"_s},
       .torch = true},
      {.folder = u"engine/exporters"_s, .uses = {u"engine/autocast"_s, u"engine/targets"_s}, .torch = true},
      {.folder = u"profiler"_s, .uses = {u"engine/wire"_s}},
      {.folder = u"engine/trial"_s, .uses = {u"engine/run"_s, u"profiler"_s}, .torch = true},
      {.folder = u"engine/tuning"_s, .uses = {u"engine/trial"_s, u"engine/search"_s}, .torch = true},
      {.folder = u"engine/host/process"_s, .uses = {u"engine/train"_s, u"profiler"_s}, .torch = true},
      {.folder = u"engine/host/input"_s,
       .uses = {u"engine/checkpoint"_s, u"engine/host/process"_s, u"engine/policy_tools"_s, u"engine/record"_s},
       .torch = true},
      {.folder = u"engine/host/listeners"_s,
       .uses = {u"engine/host/process"_s, u"engine/record"_s, u"engine/run"_s},
       .torch = true},
      {.folder = u"engine/host/print"_s, .uses = {u"engine/run"_s}, .torch = true},
      {.folder = u"engine/host/verify"_s, .uses = {u"engine/host/process"_s, u"engine/exporters"_s}, .torch = true},
      {.folder = u"engine/host/serve"_s, .uses = {u"engine/host/input"_s, u"engine/host/listeners"_s}, .torch = true},
      {.folder = u"engine/host/attach"_s, .uses = {u"engine/host/serve"_s}, .torch = true},
      {.folder = u"engine/host/commands"_s,
       .uses = {u"engine/host/attach"_s, u"engine/host/input"_s, u"engine/host/listeners"_s, u"engine/host/print"_s,
                u"engine/host/verify"_s, u"engine/interchange"_s, u"engine/report"_s, u"engine/tuning"_s},
       .torch = true},
      {.folder = u"engine/host"_s,
       .uses = {u"engine/host/commands"_s, u"engine/host/serve"_s},
       .torch = true,
       .program = true},
      {.folder = u"views/values"_s, .uses = {u"engine/formats"_s}, .qt = true},
      {.folder = u"views"_s, .uses = {u"views/values"_s, u"engine/lessons"_s}, .qt = true, .widgets = true},
      {.folder = u"app/model"_s, .uses = {u"views/values"_s, u"engine/record"_s}, .qt = true},
      {.folder = u"app/present"_s, .uses = {u"app/model"_s, u"engine/words"_s}, .qt = true},
      {.folder = u"app/session"_s,
       .uses = {u"app/present"_s, u"engine/interchange"_s, u"engine/policy_tools"_s, u"engine/report"_s,
                u"engine/targets"_s},
       .qt = true},
      {.folder = u"app/form"_s, .uses = {u"app/session"_s, u"views"_s}, .qt = true, .widgets = true},
      {.folder = u"app/lessons"_s, .uses = {u"app/session"_s, u"engine/lessons"_s}, .qt = true},
      {.folder = u"app/docks"_s, .uses = {u"app/form"_s, u"app/lessons"_s}, .qt = true, .widgets = true},
      {.folder = u"app/window"_s, .uses = {u"app/docks"_s}, .qt = true, .widgets = true, .program = true},
  };
  return rows;
}

const Layer* layerOf(const QString& path) {
  const Layer* found = nullptr;
  for (const Layer& layer : layers()) {
    if (!path.startsWith(layer.folder + u'/')) continue;
    if (!found || layer.folder.size() > found->folder.size()) found = &layer;
  }
  return found;
}

QString libraryOf(const Layer& layer) {
  const QString path = layer.folder.startsWith(u"engine/") ? layer.folder.mid(7) : layer.folder;
  return QString(path).replace(u'/', u'_');
}

bool mayUse(const Layer& layer, const Layer& other) {
  if (layer.folder == other.folder) return true;
  for (const QString& used : layer.uses) {
    const Layer* next = layerOf(used + u'/');
    if (next && mayUse(*next, other)) return true;
  }
  return false;
}

bool isOfExplorer(const Layer& layer) {
  const Layer* explorer = layerOf(u"app/window/"_s);
  return explorer && mayUse(*explorer, layer);
}

}  // namespace binade::test
