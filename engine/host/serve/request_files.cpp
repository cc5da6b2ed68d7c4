// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/request_files.h"

#include "engine/formats/error.h"
#include "engine/host/input/run_access.h"
#include "engine/wire/codec.h"

namespace binade::host {

namespace {

/// Of a request that only reads.
confine::Access only_reading(confine::Access access) {
  access.folders.clear();
  access.outputs.clear();
  return access;
}

void decode_files(const wire::Request& request, RequestFiles& files) {
  const std::string& method = request.method;
  if (method == "model.inspect") {
    files.access = model_access(wire::decode<wire::InspectModel>(request.params).file);
  } else if (method == "data.preview") {
    files.access = only_reading(run_access(wire::decode<wire::PreviewData>(request.params).config));
  } else if (method == "data.arrays") {
    files.access.reads = wire::decode<wire::ListArrays>(request.params).files;
  } else if (method == "checkpoint.list") {
    files.access.reads = {wire::decode<wire::ListCheckpoints>(request.params).folder};
  } else if (method == "checkpoint.load") {
    files.input = wire::decode<wire::LoadCheckpoint>(request.params).file;
  } else if (method == "model.save") {
    files.output = wire::decode<wire::SaveModel>(request.params).file;
  }
  if (files.engine == RequestFiles::For::kLooking || !request.params.contains("config")) return;
  files.names_run = true;
  files.access = run_access(wire::decode<wire::StartRun>(request.params).config);
  if (!files.starts) files.access = only_reading(std::move(files.access));
}

}  // namespace

RequestFiles files_of(const wire::Request& request) {
  RequestFiles files;
  const std::string& method = request.method;
  const bool looks = method == "engine.hello" || method == "model.inspect" || method.starts_with("data.") ||
                     method == "checkpoint.list";
  files.engine = looks ? RequestFiles::For::kLooking : RequestFiles::For::kRun;
  files.starts = method == "run.start";
  try {
    decode_files(request, files);
  } catch (const Error&) {
    files.access = {};
  }
  return files;
}

}  // namespace binade::host
