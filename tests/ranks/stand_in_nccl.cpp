// SPDX-License-Identifier: Apache-2.0
// A stand-in for libnccl.so.2 that sums in memory which the processes of one computer share. Its calls do not block, as
// the real ones of a communicator that does not: they report progress, and are asked for their end. It knows no GPU; a
// test asks what its only stream has done. The variable STAND_IN_NCCL makes it misbehave, by a word and a rank:
// `has no id 0`, `fails 1` connects no rank 1, `waits 1` leaves it waiting, `loses 1` leaves its values out, `breaks 1`
// ends no sum but the first, and reports a broken connection on rank 1 alone.
#include "engine/ranks/nccl.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>

using namespace binade::ranks;

namespace {

constexpr int kSystemError = 2, kInvalidUsage = 5, kRemoteError = 6;
constexpr std::size_t kRanks = 8, kSums = 64, kBytes = 16384;
constexpr int kCountOfVersion = 22809;

struct Shared {
  std::atomic<int> opened;
  std::atomic<int> joined;
  std::atomic<int> arrived[kSums];
  char values[kSums][kRanks][kBytes];
};

struct Sum {
  std::uint64_t number;
  void* to;
  std::size_t count;
  int type;
};

bool misbehaves(const char* how, int rank) {
  const char* const text = std::getenv("STAND_IN_NCCL");
  return text != nullptr && text == std::string(how) + " " + std::to_string(rank);
}

/// The only communicator of the process, and its stream.
std::deque<Sum> queue;
std::uint64_t enqueued = 0;
std::uint64_t done = 0;
int aborts = 0;

template <class T>
void add(const Shared& shared, const Sum& sum, int ranks) {
  T* const to = static_cast<T*>(sum.to);
  for (std::size_t i = 0; i < sum.count; ++i) {
    T total = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      if (!misbehaves("loses", rank)) total += reinterpret_cast<const T*>(shared.values[sum.number % kSums][rank])[i];
    }
    to[i] = total;
  }
}

}  // namespace

namespace binade::ranks {
struct ncclComm {
  Shared* shared;
  int rank;
  int ranks;
  bool connected = false;
  int left_to_ask = 0;  ///< until the last call is carried out
};
}  // namespace binade::ranks

namespace {
ncclComm* only = nullptr;

void go_on() {
  while (only != nullptr && !queue.empty()) {
    const Sum& sum = queue.front();
    const int wanted = only->ranks * static_cast<int>(1 + sum.number / kSums);
    if (only->shared->arrived[sum.number % kSums] < wanted) return;
    if (sum.type == kNcclFloat32) add<float>(*only->shared, sum, only->ranks);
    if (sum.type == kNcclFloat64) add<double>(*only->shared, sum, only->ranks);
    ++done;
    queue.pop_front();
  }
}
}  // namespace

extern "C" {

std::uint64_t standInEnqueued() {
  return enqueued;
}

std::uint64_t standInDone() {
  go_on();
  return done;
}

int standInAborts() {
  return aborts;
}

int ncclGetVersion(int* version) {
  *version = kCountOfVersion;
  return kNcclSuccess;
}

int ncclGetUniqueId(NcclId* id) {
  if (misbehaves("has no id", 0)) return kSystemError;
  std::snprintf(id->bytes.data(), id->bytes.size(), "/binade-stand-in-%d", static_cast<int>(::getpid()));
  const int file = ::shm_open(id->bytes.data(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  const bool made = file >= 0 && ::ftruncate(file, sizeof(Shared)) == 0;
  ::close(file);
  return made ? kNcclSuccess : kSystemError;
}

const char* ncclGetErrorString(int result) {
  return result == kRemoteError ? "remote process exited or there was a network error" : "unhandled system error";
}

const char* ncclGetLastError(ncclComm* /*comm*/) {
  return "";
}

int ncclCommInitRankConfig(ncclComm** comm, int ranks, NcclId id, int rank, NcclConfig* config) {
  if (config->magic != 0xcafebeef || config->blocking != 0 || ranks > static_cast<int>(kRanks)) return kInvalidUsage;
  const int file = ::shm_open(id.bytes.data(), O_RDWR, 0600);
  void* const memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) return kSystemError;
  only = *comm = new ncclComm{static_cast<Shared*>(memory), rank, ranks};
  if (++only->shared->opened == ranks) ::shm_unlink(id.bytes.data());
  if (!misbehaves("fails", rank) && !misbehaves("waits", rank)) ++only->shared->joined;
  return kNcclInProgress;
}

int ncclCommGetAsyncError(ncclComm* comm, int* result) {
  *result = kNcclInProgress;
  if (!comm->connected) {
    if (misbehaves("fails", comm->rank)) *result = kSystemError;
    comm->connected = comm->shared->joined == comm->ranks;
    return kNcclSuccess;
  }
  if (comm->left_to_ask > 0) {
    if (--comm->left_to_ask == 0) *result = kNcclSuccess;
  } else {
    *result = misbehaves("breaks", comm->rank) && enqueued > 1 ? kRemoteError : kNcclSuccess;
  }
  return kNcclSuccess;
}

int ncclCommAbort(ncclComm* comm) {
  ++aborts;
  queue.clear();
  done = enqueued;
  if (only == comm) only = nullptr;
  return kNcclSuccess;
}

int ncclAllReduce(const void* from, void* to, std::size_t count, int type, int operation, ncclComm* comm,
                  void* /*stream*/) {
  const std::size_t bytes = count * (type == kNcclFloat64 ? sizeof(double) : sizeof(float));
  // A communicator takes a call only once the one before is carried out.
  if (comm->left_to_ask != 0 || !comm->connected || bytes > kBytes || operation != kNcclSum) return kInvalidUsage;
  std::memcpy(comm->shared->values[enqueued % kSums][comm->rank], from, bytes);
  if (enqueued == 0 || !misbehaves("breaks", comm->rank)) ++comm->shared->arrived[enqueued % kSums];
  queue.push_back({enqueued++, to, count, type});
  comm->left_to_ask = 2;
  return kNcclInProgress;
}

}  // extern "C"
