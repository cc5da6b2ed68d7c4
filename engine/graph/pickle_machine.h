// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace binade::graph {

/// Texts of the messages about a damaged pickle.
struct PickleTexts {
  std::string what;            ///< begins messages: the file, and the record if there is one
  std::string_view truncated;  ///< the reason if bytes are missing: `it is truncated`
  std::string_view hint;
};

/// The bytes of a pickle, taken from the front.
class PickleStream {
 public:
  PickleStream(std::string_view bytes, PickleTexts texts) : bytes_(bytes), texts_(std::move(texts)) {}

  const std::string& what() const { return texts_.what; }
  /// Throws Error{kBadFile}: the pickle cannot be read, with the reason `how`.
  [[noreturn]] void damaged(const std::string& how) const;

  // These throw as damaged() if there are too few bytes.

  std::string_view take(std::uint64_t size);
  /// Takes a line and its end; returns it without the end.
  std::string_view line();
  /// Takes a little-endian number of 0 to 8 bytes.
  std::uint64_t number(std::size_t size);
  /// As number(), in two's complement.
  std::int64_t signed_number(std::size_t size);
  double big_endian_double();

 private:
  std::string_view bytes_;
  PickleTexts texts_;
};

/// The state of a machine that executes a pickle: its bytes, stack, marks and memo. A derived class runs the opcodes;
/// it decides which ones are allowed and what they make. Every function throws as damaged() if the pickle is invalid.
template <class Value>
class PickleMachine : protected PickleStream {
 public:
  using Ref = const Value*;

 protected:
  /// `most`: the largest number of values. It limits memory, since one byte of a pickle can make one value.
  PickleMachine(std::string_view bytes, PickleTexts texts, std::size_t most)
      : PickleStream(bytes, std::move(texts)), most_(most) {}

  void push(Value value) {
    if (values_.size() == most_) damaged("it contains more than " + std::to_string(most_) + " values");
    stack_.push_back(&values_.emplace_back(std::move(value)));
  }
  Value& top() {
    check_depth(1);
    return *stack_.back();
  }
  Ref pop() {
    check_depth(1);
    const Ref value = stack_.back();
    stack_.pop_back();
    return value;
  }
  /// Pops `count` values, in the order in which they were pushed.
  std::vector<Ref> last(std::size_t count) {
    check_depth(count);
    return cut(stack_.size() - count);
  }

  void mark() { marks_.push_back(stack_.size()); }
  /// Pops the last mark and the values after it.
  std::vector<Ref> since_mark() {
    if (marks_.empty()) damaged("its stack has no mark");
    const std::size_t begin = marks_.back();
    marks_.pop_back();
    return cut(begin);
  }

  void remember(std::uint64_t place) { memo_[place] = &top(); }
  void memoize() { remember(memo_.size()); }
  void recall(std::uint64_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) damaged("it refers to a value that it does not contain");
    stack_.push_back(found->second);
  }

  /// All values that were pushed. Addresses are stable, also if the deque is moved.
  std::deque<Value> values_;

 private:
  /// Checks that at least `count` values were pushed after the last mark.
  void check_depth(std::size_t count) const {
    const std::size_t bottom = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() - bottom < count) damaged("its stack is empty");
  }
  std::vector<Ref> cut(std::size_t begin) {
    std::vector<Ref> items(stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.end());
    stack_.resize(begin);
    return items;
  }

  std::size_t most_;
  std::vector<Value*> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::uint64_t, Value*> memo_;  ///< not a hash table: the file chooses the keys
};

}  // namespace binade::graph
