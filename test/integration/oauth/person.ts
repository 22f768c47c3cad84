/** A person with a browser: follows redirects with cookies, and fills in the provider's two forms. */

const FORMS_MAX = 10;

/** Ends when the browser has been sent back to `http://localhost:<port>`; gives the page it saw there. */
export const signInAsPerson = async (start: string): Promise<string> => {
  const cookies = new Map<string, string>();
  const visit = async (url: string, form?: URLSearchParams): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      method: form === undefined ? "GET" : "POST",
      headers: { cookie },
      redirect: "manual",
      ...(form === undefined ? {} : { body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };

  let url = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < FORMS_MAX; step++) {
    const response = await visit(url, form);
    form = undefined;
    const location = response.headers.get("location");
    const page = await response.text();
    if (location !== null) {
      url = new URL(location, url).href;
      if (!url.startsWith("http://localhost:")) continue;
      const back = await fetch(url.replace("localhost", "127.0.0.1"));
      return back.text();
    }
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (action === undefined) throw new Error(`no form at ${url} (${response.status}): ${page.slice(0, 300)}`);
    form = new URLSearchParams();
    for (const [, name = "", value = ""] of page.matchAll(/name="(\w+)"(?: value="(\w*)")?/g)) form.set(name, value);
    if (form.get("prompt") === "login") form.set("login", "me");
    url = new URL(action, url).href;
  }
  throw new Error("signing in does not come to an end");
};
