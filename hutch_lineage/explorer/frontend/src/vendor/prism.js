// Prism's tokenizer alone: the core of prismjs 1.30 without what touches the page. MIT, Copyright (c) 2012 Lea Verou.
// The grammars in prismjs/components are written against a global `Prism`; build.mjs hands them this one.
// @ts-nocheck

/** What a token is: its type, its text or the tokens in it, other names of the type. */
class Token {
	constructor(type, content, alias, matched) {
		this.type = type;
		this.content = content;
		this.alias = alias;
		this.length = (matched || "").length;
	}
}

const own = (o, name) => Object.prototype.hasOwnProperty.call(o, name);

function clone(o, visited = new Map()) {
	if (o === null || typeof o !== "object" || o instanceof RegExp) return o;
	if (visited.has(o)) return visited.get(o);
	const copy = Array.isArray(o) ? [] : {};
	visited.set(o, copy);
	for (const key of Object.keys(o)) copy[key] = clone(o[key], visited);
	return copy;
}

function walk(o, callback, type, visited = new Set()) {
	for (const key in o) {
		if (!own(o, key)) continue;
		callback.call(o, key, o[key], type || key);
		const property = o[key];
		if (property === null || typeof property !== "object" || property instanceof RegExp || visited.has(property)) continue;
		visited.add(property);
		walk(property, callback, Array.isArray(property) ? key : null, visited);
	}
}

/** @type {any} the grammars, by name */
export const languages = {
	plain: {},
	extend: (id, redefined) => Object.assign(clone(languages[id]), redefined),
	insertBefore(inside, before, insert, root = languages) {
		const old = root[inside];
		const made = {};
		for (const token of Object.keys(old)) {
			if (token === before) Object.assign(made, insert);
			if (!own(insert, token)) made[token] = old[token];
		}
		root[inside] = made;
		walk(languages, function (key, value) {
			if (value === old && key !== inside) this[key] = made;
		});
		return made;
	},
	DFS: walk,
};

/** What grammars use beside `languages`: the hooks of Prism's own rendering, which nothing calls here. */
export const Prism = { languages, Token, hooks: { add() {} }, util: { clone }, plugins: {} };

/**
 * A text as tokens and the texts between them.
 * @returns {(string | Token)[]}
 */
export function tokenize(text, grammar) {
	const rest = grammar.rest;
	if (rest) {
		for (const token in rest) grammar[token] = rest[token];
		delete grammar.rest;
	}
	const list = new LinkedList();
	addAfter(list, list.head, text);
	matchGrammar(text, list, grammar, list.head, 0);
	const tokens = [];
	for (let node = list.head.next; node !== list.tail; node = node.next) tokens.push(node.value);
	return tokens;
}

function matchPattern(pattern, pos, text, lookbehind) {
	pattern.lastIndex = pos;
	var match = pattern.exec(text);
	if (match && lookbehind && match[1]) {
		// change the match to remove the text matched by the Prism lookbehind group
		var lookbehindLength = match[1].length;
		match.index += lookbehindLength;
		match[0] = match[0].slice(lookbehindLength);
	}
	return match;
}

function matchGrammar(text, tokenList, grammar, startNode, startPos, rematch) {
	for (var token in grammar) {
		if (!grammar.hasOwnProperty(token) || !grammar[token]) {
			continue;
		}

		var patterns = grammar[token];
		patterns = Array.isArray(patterns) ? patterns : [patterns];

		for (var j = 0; j < patterns.length; ++j) {
			if (rematch && rematch.cause == token + ',' + j) {
				return;
			}

			var patternObj = patterns[j];
			var inside = patternObj.inside;
			var lookbehind = !!patternObj.lookbehind;
			var greedy = !!patternObj.greedy;
			var alias = patternObj.alias;

			if (greedy && !patternObj.pattern.global) {
				// Without the global flag, lastIndex won't work
				var flags = patternObj.pattern.toString().match(/[imsuy]*$/)[0];
				patternObj.pattern = RegExp(patternObj.pattern.source, flags + 'g');
			}

							var pattern = patternObj.pattern || patternObj;

			for ( // iterate the token list and keep track of the current token/string position
				var currentNode = startNode.next, pos = startPos;
				currentNode !== tokenList.tail;
				pos += currentNode.value.length, currentNode = currentNode.next
			) {

				if (rematch && pos >= rematch.reach) {
					break;
				}

				var str = currentNode.value;

				if (tokenList.length > text.length) {
					// Something went terribly wrong, ABORT, ABORT!
					return;
				}

				if (str instanceof Token) {
					continue;
				}

				var removeCount = 1; // this is the to parameter of removeBetween
				var match;

				if (greedy) {
					match = matchPattern(pattern, pos, text, lookbehind);
					if (!match || match.index >= text.length) {
						break;
					}

					var from = match.index;
					var to = match.index + match[0].length;
					var p = pos;

					// find the node that contains the match
					p += currentNode.value.length;
					while (from >= p) {
						currentNode = currentNode.next;
						p += currentNode.value.length;
					}
					// adjust pos (and p)
					p -= currentNode.value.length;
					pos = p;

					// the current node is a Token, then the match starts inside another Token, which is invalid
					if (currentNode.value instanceof Token) {
						continue;
					}

					// find the last node which is affected by this match
					for (
						var k = currentNode;
						k !== tokenList.tail && (p < to || typeof k.value === 'string');
						k = k.next
					) {
						removeCount++;
						p += k.value.length;
					}
					removeCount--;

					// replace with the new match
					str = text.slice(pos, p);
					match.index -= pos;
				} else {
					match = matchPattern(pattern, 0, str, lookbehind);
					if (!match) {
						continue;
					}
				}
				var from = match.index;
				var matchStr = match[0];
				var before = str.slice(0, from);
				var after = str.slice(from + matchStr.length);

				var reach = pos + str.length;
				if (rematch && reach > rematch.reach) {
					rematch.reach = reach;
				}

				var removeFrom = currentNode.prev;

				if (before) {
					removeFrom = addAfter(tokenList, removeFrom, before);
					pos += before.length;
				}

				removeRange(tokenList, removeFrom, removeCount);

				var wrapped = new Token(token, inside ? tokenize(matchStr, inside) : matchStr, alias, matchStr);
				currentNode = addAfter(tokenList, removeFrom, wrapped);

				if (after) {
					addAfter(tokenList, currentNode, after);
				}

				if (removeCount > 1) {
					// at least one Token object was removed, so we have to do some rematching
					// this can only happen if the current pattern is greedy

											var nestedRematch = {
						cause: token + ',' + j,
						reach: reach
					};
					matchGrammar(text, tokenList, grammar, currentNode.prev, pos, nestedRematch);

					// the reach might have been extended because of the rematching
					if (rematch && nestedRematch.reach > rematch.reach) {
						rematch.reach = nestedRematch.reach;
					}
				}
			}
		}
	}
}

function LinkedList() {
			var head = { value: null, prev: null, next: null };
			var tail = { value: null, prev: head, next: null };
	head.next = tail;

			this.head = head;
			this.tail = tail;
	this.length = 0;
}

function addAfter(list, node, value) {
	// assumes that node != list.tail && values.length >= 0
	var next = node.next;

	var newNode = { value: value, prev: node, next: next };
	node.next = newNode;
	next.prev = newNode;
	list.length++;

	return newNode;
}
function removeRange(list, node, count) {
	var next = node.next;
	for (var i = 0; i < count && next !== list.tail; i++) {
		next = next.next;
	}
	node.next = next;
	next.prev = node;
	list.length -= i;
}
